package dev.weir.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.gateway.Ejection;
import dev.weir.rules.gateway.ServerAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ServerRingTest {
  private static final long SECOND = 1_000_000_000;
  private static final Ejection THREE = new Ejection(3, Duration.ofSeconds(10), 50);

  private static List<UpstreamServer> servers(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new UpstreamServer(new ServerAddress(false, "127.0.0.1", 9_000 + i)))
        .toList();
  }

  private static Set<UpstreamServer> chosen(ServerRing ring, long now) {
    Set<UpstreamServer> all = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      all.add(ring.next(null, now));
    }
    return all;
  }

  @Test
  void serversTakeTurns() {
    List<UpstreamServer> three = servers(3);
    ServerRing ring = new ServerRing(three, Optional.of(THREE));
    for (int i = 0; i < 9; i++) {
      assertThat(ring.next(null, 0)).isSameAs(three.get(i % 3));
    }
  }

  @Test
  void serverThatFailsInARowIsLeftOutForAWhile() {
    List<UpstreamServer> four = servers(4);
    ServerRing ring = new ServerRing(four, Optional.of(THREE));
    ring.onFailure(four.get(0), 0);
    ring.onFailure(four.get(0), 0);
    four.get(0).onSuccess();
    ring.onFailure(four.get(0), 0);
    ring.onFailure(four.get(0), 0);
    assertThat(chosen(ring, 0)).as("a success ends the row").contains(four.get(0));
    ring.onFailure(four.get(0), 0);
    assertThat(chosen(ring, 9 * SECOND)).doesNotContain(four.get(0)).hasSize(3);
    assertThat(chosen(ring, 10 * SECOND)).hasSize(4);
  }

  @Test
  void atMostSoManyAreEjected() {
    List<UpstreamServer> four = servers(4);
    ServerRing ring = new ServerRing(four, Optional.of(THREE));
    four.forEach(
        server -> {
          for (int i = 0; i < 5; i++) {
            ring.onFailure(server, 0);
          }
        });
    assertThat(chosen(ring, SECOND)).containsExactlyInAnyOrder(four.get(2), four.get(3));
  }

  @Test
  void onlyServerIsNeverEjected() {
    List<UpstreamServer> one = servers(1);
    ServerRing ring = new ServerRing(one, Optional.of(THREE));
    for (int i = 0; i < 10; i++) {
      ring.onFailure(one.get(0), 0);
    }
    assertThat(one.get(0).isEjected(0)).isFalse();
    assertThat(ring.next(one.get(0), 0)).isSameAs(one.get(0));
  }

  @Test
  void unhealthyServersGetRequestsOnlyIfAllAre() {
    List<UpstreamServer> two = servers(2);
    ServerRing ring = new ServerRing(two, Optional.empty());
    two.get(0).setHealthy(false);
    assertThat(chosen(ring, 0)).containsExactly(two.get(1));
    two.get(1).setHealthy(false);
    assertThat(chosen(ring, 0)).hasSize(2);
  }

  @Test
  void retryAvoidsTheServerThatFailed() {
    List<UpstreamServer> two = servers(2);
    ServerRing ring = new ServerRing(two, Optional.empty());
    for (int i = 0; i < 10; i++) {
      assertThat(ring.next(two.get(0), 0)).isSameAs(two.get(1));
    }
    two.forEach(one -> one.setHealthy(false));
    for (int i = 0; i < 10; i++) {
      assertThat(ring.next(two.get(0), 0)).isSameAs(two.get(1));
    }
  }
}
