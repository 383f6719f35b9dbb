package dev.weir.server.store;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.async.Scheduler;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.GuardedStore;
import dev.weir.shared.Shards;
import dev.weir.shared.fallback.LocalFallback;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Simulates an outage of a private store while the server starts.
 *
 * <p>The JVM loads and links code that runs for the first time, which takes longer than a deadline
 * may be overrun; and the code for outages would run for the first time while all requests wait.
 */
final class OutageWarmup {
  /** It takes some milliseconds; after this time the server starts without it. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final GuardSettings SETTINGS =
      GuardSettings.DEFAULT.withDeadline(Duration.ofMillis(1));

  private final Store silent = new Silent();
  private final LocalFallback fallback = LocalFallback.alone(new MemoryStore());
  private final Limiter limiter;

  private OutageWarmup(Scheduler scheduler, Limiter.Listener listener) {
    Store guarded =
        new GuardedStore(silent, Shards.ONE, SETTINGS, scheduler, GuardedStore.Listener.NONE);
    this.limiter = new Limiter(guarded, fallback, listener);
  }

  /** Runs the simulation, and returns when it is over. */
  static void run(Scheduler scheduler, Limiter.Listener listener) {
    OutageWarmup one = new OutageWarmup(scheduler, listener);
    var unused =
        one.take() // the requests time out, until the circuit breaker opens
            .thenCompose(done -> one.take())
            .thenCompose(done -> one.fallback.settle(one.silent, key -> true, false))
            .completeOnTimeout(null, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }

  /** Sends as many requests as open the circuit breaker, for each failure mode. */
  private CompletableFuture<Void> take() {
    CompletableFuture<?>[] answers =
        Stream.of(FailureMode.values())
            .map(OutageWarmup::rules)
            .flatMap(rules -> Collections.nCopies(SETTINGS.consecutiveFailures(), rules).stream())
            .map(rules -> limiter.take(rules.match(Descriptor.of(Map.of()))).stage())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(answers).exceptionally(denied -> null);
  }

  private static RuleBook rules(FailureMode mode) {
    Limit limit = Limit.fixedWindow(100, Duration.ofMinutes(1));
    Rule rule = Rule.named("outage-warm-up").limit(limit).failureMode(mode).build();
    return RuleBook.of(List.of(rule), KeySpace.random());
  }

  /** Never answers a take, and counts everything else. */
  private static final class Silent implements Store {
    private final Store counters = new MemoryStore();

    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      return operation == Operation.TAKE
          ? Answer.later(new CompletableFuture<>())
          : counters.apply(operation, claims);
    }
  }
}
