package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision.Basis;
import dev.weir.Mode;
import dev.weir.guard.Fleet;
import dev.weir.guard.GuardSettings;
import dev.weir.guard.Places;
import dev.weir.guard.Standby;
import dev.weir.guard.Upkeep;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When nothing is taken in advance, though much is asked for. */
class LeaseBeginsTest extends OneOfFour {
  private static final Claim HOT = claim(LARGE, KEY, Mode.leased());

  /** Of LARGE, for all servers. */
  private static final long SHARE = MAX_HELD * SERVERS;

  /** So often is a key asked for in a second before it is leased. */
  private static final int WARM = 2;

  private void leave(long permits) {
    assertThat(shared.take(HOT.costing(LARGE.capacity() - permits)).join().allowed()).isTrue();
  }

  private long left() {
    return LARGE.capacity() - used(LARGE, KEY);
  }

  @Test
  void noLeaseBeginsWhileLessThanTwiceTheShareIsLeft() {
    leave(2 * SHARE + WARM - 1);
    for (int i = 0; i < 200; i++) {
      assertThat(take(HOT).basis()).isEqualTo(Basis.COUNTED);
    }
    assertThat(far.asked).containsOnly("take 1");
  }

  @Test
  void aLeaseBeginsWhileTwiceTheShareIsLeft() {
    leave(2 * SHARE + WARM);
    for (int i = 0; i < WARM; i++) {
      assertThat(take(HOT).basis()).isEqualTo(Basis.COUNTED);
    }
    timers.advance(far.trip);
    assertThat(left()).as("more was taken in advance").isLessThan(2 * SHARE);
    assertThat(take(HOT).basis()).isEqualTo(Basis.LEASED);
  }

  @Test
  void noLeaseIsRefilledWhileLessThanTheShareIsLeft() {
    leave(2 * SHARE + WARM);
    int refills = 0;
    while (left() > 0) {
      long before = left();
      far.asked.clear();
      take(HOT);
      boolean refilled = !List.of("take 1").containsAll(far.asked);
      assertThat(refilled && before < SHARE).as("with %s left", before).isFalse();
      refills += refilled ? 1 : 0;
    }
    assertThat(refills).as("before that").isGreaterThan(1);
  }

  /** A server that is just there, or was gone, with all that it does for the store. */
  private final class NewServer implements Upkeep.Watcher {
    private final Fleet fleet = new Fleet("new", new Four(), timers);
    private final Upkeep upkeep =
        new Upkeep(
            far,
            Places.ONE,
            GuardSettings.DEFAULT,
            timers,
            fleet,
            new Standby(local, fleet, ticker),
            this);
    private final ByMode store = new ByMode(upkeep.guarded(), local, fleet, timers);

    /** Asks ten times in a tenth of a second, for so long, and whether all of that is counted. */
    boolean isStrictFor(Duration duration) {
      long end = timers.nanos() + duration.toNanos();
      boolean strict = true;
      while (timers.nanos() < end) {
        var answer = store.take(List.of(HOT));
        timers.advance(Duration.ofMillis(10));
        strict &= answer.join().basis() == Basis.COUNTED;
      }
      return strict;
    }

    @Override
    public void told(@Nullable Throwable failure) {}

    @Override
    public void lost(String place, Throwable failure) {}

    @Override
    public void found() {}

    @Override
    public void unlisted(Throwable failure) {}

    @Override
    public void listed() {}
  }

  @Test
  void whoIsNewLeasesNothingForThreeSeconds() {
    NewServer server = new NewServer();
    server.upkeep.start();
    assertThat(server.isStrictFor(Duration.ofSeconds(3))).isTrue();
    assertThat(server.isStrictFor(Duration.ofMillis(100))).isFalse();
  }

  @Test
  void whoWasNotHeardOfForAWhileLeasesNothingForThreeSeconds() {
    NewServer server = new NewServer();
    server.upkeep.start();
    assertThat(server.isStrictFor(Duration.ofMillis(3_500))).isFalse();
    far.cut = true;
    timers.advance(Duration.ofMillis(4_600)); // five heartbeats that nobody heard
    far.cut = false;
    timers.advance(Duration.ofMillis(900)); // and one that somebody did
    assertThat(server.isStrictFor(Duration.ofSeconds(3))).isTrue();
    assertThat(server.isStrictFor(Duration.ofMillis(100))).isFalse();
  }
}
