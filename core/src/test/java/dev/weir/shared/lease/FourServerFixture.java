package dev.weir.shared.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.RemoteStore;
import dev.weir.shared.fleet.Fleet;
import dev.weir.shared.fleet.Roster;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One of four servers that share a store, known to the others. */
abstract class FourServerFixture {
  static final Limit LARGE = Limit.tokenBucket(10, Duration.ofHours(1), 100_000);
  static final LimitKey KEY = new LimitKey(5, 6);
  static final int SERVERS = 4;

  /** The permits of LARGE that each of four servers may hold at five percent. */
  static final long MAX_HELD = 1_250;

  final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  final ManualScheduler scheduler = new ManualScheduler(ticker);
  final MemoryStore shared = new MemoryStore(1_000, ticker);
  final RemoteStore remote = new RemoteStore(shared, scheduler);
  final MemoryStore local = new MemoryStore(1_000, ticker);
  String epoch = "first";
  final Fleet fleet = new Fleet("one", new FourServers(), scheduler);
  final ModeRoutingStore store = new ModeRoutingStore(remote, local, fleet, scheduler);

  /** A roster of four servers in the store. */
  final class FourServers implements Roster {
    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      if (remote.disconnected) {
        return CompletableFuture.failedStage(new StoreFailure(Effect.NONE, "disconnected", null));
      }
      List<String> servers = Collections.nCopies(SERVERS, server);
      return CompletableFuture.completedStage(new Roll(servers, epoch));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  FourServerFixture() {
    announce();
    scheduler.advance(Fleet.ANNOUNCE_INTERVAL.multipliedBy(3));
    assertThat(fleet.isKnown()).isTrue();
  }

  private void announce() {
    var unused = fleet.announce();
    scheduler.schedule(Fleet.ANNOUNCE_INTERVAL.toNanos(), this::announce);
  }

  static Claim claim(Limit limit, LimitKey key, Mode mode) {
    return new Claim(limit, key, 1, 0, mode);
  }

  Decision take(Claim... claims) {
    Answer answer = store.take(List.of(claims));
    scheduler.advance(remote.roundTrip);
    return answer.join();
  }

  long used(Limit limit, LimitKey key) {
    return limit.capacity() - shared.peek(List.of(new Claim(limit, key, 0, 0))).remaining();
  }

  void warm(Claim claim) {
    for (int i = 0; i < 3; i++) {
      take(claim);
    }
    assertThat(store.isLeased(claim.key())).isTrue();
  }
}
