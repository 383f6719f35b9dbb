package dev.weir.shared.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision.Basis;
import dev.weir.Mode;
import dev.weir.shared.SharedStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a lease begins and is refilled, for a key in demand. */
class LeaseBeginsTest extends FourServerFixture {
  private static final Claim HOT = claim(LARGE, KEY, Mode.leased());

  /** The permits of LARGE that all servers together may lease. */
  private static final long SHARE = MAX_HELD * SERVERS;

  /** The requests in a second after which a key is leased. */
  private static final int WARM = 2;

  private void leaveInStore(long permits) {
    assertThat(shared.take(HOT.withCost(LARGE.capacity() - permits)).join().allowed()).isTrue();
  }

  private long left() {
    return LARGE.capacity() - used(LARGE, KEY);
  }

  @Test
  void noLeaseBeginsWhileLessThanTwiceTheShareIsLeft() {
    leaveInStore(2 * SHARE + WARM - 1);
    for (int i = 0; i < 200; i++) {
      assertThat(take(HOT).basis()).isEqualTo(Basis.COUNTED);
    }
    assertThat(remote.received).containsOnly("take 1");
  }

  @Test
  void leaseBeginsWhileTwiceTheShareIsLeft() {
    leaveInStore(2 * SHARE + WARM);
    for (int i = 0; i < WARM; i++) {
      assertThat(take(HOT).basis()).isEqualTo(Basis.COUNTED);
    }
    scheduler.advance(remote.roundTrip);
    assertThat(left()).as("more was taken in advance").isLessThan(2 * SHARE);
    assertThat(take(HOT).basis()).isEqualTo(Basis.LEASED);
  }

  @Test
  void noLeaseIsRefilledWhileLessThanTheShareIsLeft() {
    leaveInStore(2 * SHARE + WARM);
    int refills = 0;
    while (left() > 0) {
      long before = left();
      remote.received.clear();
      take(HOT);
      boolean refilled = !List.of("take 1").containsAll(remote.received);
      assertThat(refilled && before < SHARE).as("with %s left", before).isFalse();
      refills += refilled ? 1 : 0;
    }
    assertThat(refills).as("before that").isGreaterThan(1);
  }

  /** A server that has just started, with its supervisor. */
  private final class NewServer {
    private final SharedStore store =
        SharedStore.around(remote)
            .server("new")
            .roster(new FourServers())
            .scheduler(scheduler)
            .fallback(local)
            .ticker(ticker)
            .build();

    /** Sends a request every 10 ms; returns whether the store counted all of them. */
    boolean isStrictFor(Duration duration) {
      long end = scheduler.nanos() + duration.toNanos();
      boolean strict = true;
      while (scheduler.nanos() < end) {
        var answer = store.take(List.of(HOT));
        scheduler.advance(Duration.ofMillis(10));
        strict &= answer.join().basis() == Basis.COUNTED;
      }
      return strict;
    }
  }

  @Test
  void newServerLeasesNothingForThreeSeconds() {
    NewServer server = new NewServer();
    server.store.start();
    assertThat(server.isStrictFor(Duration.ofSeconds(3))).isTrue();
    assertThat(server.isStrictFor(Duration.ofMillis(100))).isFalse();
  }

  @Test
  void serverThatWasSilentLeasesNothingForThreeSeconds() {
    NewServer server = new NewServer();
    server.store.start();
    assertThat(server.isStrictFor(Duration.ofMillis(3_500))).isFalse();
    remote.disconnected = true;
    scheduler.advance(Duration.ofMillis(4_600)); // five announcements that fail
    remote.disconnected = false;
    scheduler.advance(Duration.ofMillis(900)); // and one that succeeds
    assertThat(server.isStrictFor(Duration.ofSeconds(3))).isTrue();
    assertThat(server.isStrictFor(Duration.ofMillis(100))).isFalse();
  }
}
