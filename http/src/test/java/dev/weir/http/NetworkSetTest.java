package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NetworkSetTest {
  private static final long SEED = Long.getLong("weir.seed", new SplittableRandom().nextLong());

  @Test
  void aSetContainsWhatOneOfItsNetworksContains() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Network> networks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int bits = 8 + random.nextInt(25);
      Ip v4 = Objects.requireNonNull(Ip.parse(address(random))).masked(bits);
      networks.add(Network.parse(v4 + "/" + bits));
      networks.add(Network.parse("2001:db8:" + Integer.toHexString(i) + "::/" + (48 + i % 3)));
    }
    NetworkSet set = NetworkSet.of(networks);
    long inside = 0;
    for (int i = 0; i < 20_000; i++) {
      String text =
          i % 2 == 0 ? address(random) : "2001:db8:" + Integer.toHexString(i % 400) + "::1";
      Ip ip = Objects.requireNonNull(Ip.parse(text));
      boolean expected = networks.stream().anyMatch(network -> network.contains(ip));
      assertThat(set.contains(ip)).as("seed %d, %s", SEED, text).isEqualTo(expected);
      inside += expected ? 1 : 0;
    }
    assertThat(inside).isBetween(1_000L, 19_000L);
  }

  private static String address(SplittableRandom random) {
    return "10." + random.nextInt(256) + "." + random.nextInt(256) + "." + random.nextInt(256);
  }

  @Test
  void theFirstFewAreShown() {
    List<Network> many =
        Stream.iterate(1, i -> i + 1).limit(7).map(i -> Network.parse("10.0.0." + i)).toList();
    assertThat(NetworkSet.of(many))
        .hasToString("10.0.0.1 or 10.0.0.2 or 10.0.0.3 or 10.0.0.4 or 10.0.0.5 or one of 2 more");
  }
}
