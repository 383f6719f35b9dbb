package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The second of three servers, without its store; which may have forgotten what it knew. */
abstract class OneOfThree {
  static final Limit NINETY = Limit.fixedWindow(90, Duration.ofHours(1));
  static final Limit TEN = Limit.fixedWindow(10, Duration.ofHours(1));
  static final LimitKey KEY = new LimitKey(3, 4);
  final StoreFailure gone = new StoreFailure(Effect.NONE, "gone", null);
  final StoreFailure lost = new StoreFailure(Effect.UNKNOWN, "lost", null);

  final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  final ManualTimers timers = new ManualTimers(ticker);
  final MemoryStore shared = new MemoryStore(1_000, ticker);
  final Fleet fleet = new Fleet("b", new Three(), timers);
  final Standby standby = new Standby(new MemoryStore(1_000, ticker), fleet, ticker);

  /** Three servers, of which this one is the second; the store may have forgotten. */
  private static final class Three implements Roster {
    private int memory;

    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      return CompletableFuture.completedStage(new Roll(List.of("a", "b", "c"), "m" + memory++));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  OneOfThree() {
    assertThat(fleet.announce().toCompletableFuture().join()).isFalse();
  }

  static List<Claim> claim(Limit limit, long cost) {
    return List.of(Claim.of(limit, KEY, cost));
  }

  long used(Limit limit) {
    return limit.capacity() - shared.look(claim(limit, 0)).remaining();
  }

  long grant(StoreFailure failure, Limit limit, int times) {
    long granted = 0;
    for (int i = 0; i < times; i++) {
      granted += standby.after(failure).take(claim(limit, 1)).allowed() ? 1 : 0;
    }
    return granted;
  }
}
