package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.guard.FarStore;
import dev.weir.guard.Fleet;
import dev.weir.guard.Roster;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One of four servers that share a store, known to all of them. */
abstract class OneOfFour {
  static final Limit LARGE = Limit.tokenBucket(10, Duration.ofHours(1), 100_000);
  static final LimitKey KEY = new LimitKey(5, 6);
  static final int SERVERS = 4;

  /** Of LARGE at five percent, each of four. */
  static final long MAX_HELD = 1_250;

  final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  final ManualTimers timers = new ManualTimers(ticker);
  final MemoryStore shared = new MemoryStore(1_000, ticker);
  final FarStore far = new FarStore(shared, timers);
  final MemoryStore local = new MemoryStore(1_000, ticker);
  String memory = "memory";
  final Fleet fleet = new Fleet("one", new Four(), timers);
  final ByMode store = new ByMode(far, local, fleet, timers);

  /** A list of four, kept where the store is. */
  final class Four implements Roster {
    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      if (far.cut) {
        return CompletableFuture.failedStage(new StoreFailure(Effect.NONE, "cut", null));
      }
      List<String> servers = Collections.nCopies(SERVERS, server);
      return CompletableFuture.completedStage(new Roll(servers, memory));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  OneOfFour() {
    announce();
    timers.advance(Fleet.PERIOD.multipliedBy(3));
    assertThat(fleet.isKnown()).isTrue();
  }

  private void announce() {
    var unused = fleet.announce();
    timers.after(Fleet.PERIOD.toNanos(), this::announce);
  }

  static Claim claim(Limit limit, LimitKey key, Mode mode) {
    return new Claim(limit, key, 1, 0, mode);
  }

  Decision take(Claim... claims) {
    Answer answer = store.take(List.of(claims));
    timers.advance(far.trip);
    return answer.join();
  }

  long used(Limit limit, LimitKey key) {
    return limit.capacity() - shared.look(List.of(new Claim(limit, key, 0, 0))).remaining();
  }

  void warm(Claim claim) {
    for (int i = 0; i < 3; i++) {
      take(claim);
    }
    assertThat(store.isLeased(claim.key())).isTrue();
  }
}
