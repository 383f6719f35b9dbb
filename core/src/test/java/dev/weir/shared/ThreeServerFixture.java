package dev.weir.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.fleet.Fleet;
import dev.weir.shared.fleet.Roster;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The second of three servers; its roster shows a loss of data with each announcement. */
public abstract class ThreeServerFixture {
  public static final Limit NINETY = Limit.fixedWindow(90, Duration.ofHours(1));
  public static final Limit TEN = Limit.fixedWindow(10, Duration.ofHours(1));
  public static final LimitKey KEY = new LimitKey(3, 4);
  public final StoreFailure gone = new StoreFailure(Effect.NONE, "gone", null);
  public final StoreFailure lost = new StoreFailure(Effect.UNKNOWN, "lost", null);

  public final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  public final ManualScheduler scheduler = new ManualScheduler(ticker);
  public final MemoryStore shared = new MemoryStore(1_000, ticker);
  public final Fleet fleet = new Fleet("b", new ThreeServers(), scheduler);
  public final LocalFallback fallback =
      new LocalFallback(new MemoryStore(1_000, ticker), fleet, ticker);

  /** A roster of three servers with a new epoch for each announcement. */
  private static final class ThreeServers implements Roster {
    private int epoch;

    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      return CompletableFuture.completedStage(new Roll(List.of("a", "b", "c"), "epoch " + epoch++));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  public ThreeServerFixture() {
    assertThat(fleet.announce().toCompletableFuture().join()).isFalse();
  }

  public static List<Claim> claim(Limit limit, long cost) {
    return List.of(Claim.of(limit, KEY, cost));
  }

  public long used(Limit limit) {
    return limit.capacity() - shared.peek(claim(limit, 0)).remaining();
  }

  public long grant(StoreFailure failure, Limit limit, int times) {
    long granted = 0;
    for (int i = 0; i < times; i++) {
      granted += fallback.storeAfter(failure).take(claim(limit, 1)).allowed() ? 1 : 0;
    }
    return granted;
  }
}
