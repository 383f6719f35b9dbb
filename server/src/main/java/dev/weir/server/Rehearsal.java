package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.guard.GuardSettings;
import dev.weir.guard.Guarded;
import dev.weir.guard.Places;
import dev.weir.guard.Standby;
import dev.weir.guard.Timers;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.rule.Limiter;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.RuleBook;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An outage before there is one, of a store that is nobody's.
 *
 * <p>Code that runs for the first time is loaded and linked on the way, which takes longer than a
 * deadline may be overrun; and what is done in an outage runs for the first time when everybody
 * waits. So a server goes through it as it starts.
 */
final class Rehearsal {
  /** It takes some milliseconds. A server starts without it, too. */
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private static final GuardSettings SETTINGS =
      GuardSettings.DEFAULT.withDeadline(Duration.ofMillis(1));

  private final Store silent = new Silent();
  private final Standby standby = Standby.alone(new MemoryStore());
  private final Limiter limiter;

  private Rehearsal(Timers timers, Limiter.Watcher watcher) {
    Store guarded = new Guarded(silent, Places.ONE, SETTINGS, timers, new Unmoved());
    this.limiter = new Limiter(guarded, standby, watcher);
  }

  static void of(Timers timers, Limiter.Watcher watcher) {
    Rehearsal one = new Rehearsal(timers, watcher);
    var unused =
        one.ask() // and wait in vain, until the store is not asked any more
            .thenCompose(done -> one.ask())
            .thenCompose(done -> one.standby.settle(one.silent, key -> true, false))
            .completeOnTimeout(null, LONGEST.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }

  /** As many as open a breaker, for each way to do without the store. */
  private CompletableFuture<Void> ask() {
    CompletableFuture<?>[] answers =
        Stream.of(WhenStoreFails.values())
            .map(Rehearsal::rules)
            .flatMap(rules -> Collections.nCopies(SETTINGS.failuresInARow(), rules).stream())
            .map(rules -> limiter.take(rules.match(Descriptor.of(Map.of()))).stage())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(answers).exceptionally(denied -> null);
  }

  private static RuleBook rules(WhenStoreFails then) {
    Limit limit = Limit.fixedWindow(100, Duration.ofMinutes(1));
    Rule rule = Rule.named("rehearsal").limit(limit).whenStoreFails(then).build();
    return RuleBook.of(List.of(rule), KeySpace.random());
  }

  /** Says nothing to those who want something, and counts what it is told. */
  private static final class Silent extends UniformStore {
    private final Store counters = new MemoryStore();

    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
      return operation == Operation.TAKE
          ? Answer.later(new CompletableFuture<>())
          : operation.on(counters, claims);
    }
  }

  /** It is only a rehearsal. */
  static final class Unmoved implements Guarded.Watcher {
    @Override
    public void told(@Nullable Throwable failure) {}

    @Override
    public void opened(String place, Throwable failure) {}

    @Override
    public CompletionStage<?> answering() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void closed(String place) {}
  }
}
