package dev.weir.simulation.bugs;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.async.Scheduler;
import dev.weir.rule.book.Match;
import dev.weir.shared.fleet.Roster;
import dev.weir.shared.fleet.Roster.Roll;
import dev.weir.simulation.fleet.InjectionPoints;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Broken parts of a server, other than stores. */
final class BrokenParts {
  private BrokenParts() {}

  /** Changes the decisions with that basis on their way to clients. */
  static InjectionPoints clientDecision(Basis basis, UnaryOperator<Decision> change) {
    return new InjectionPoints() {
      @Override
      public Function<Match, Answer> entryPoint(Function<Match, Answer> limiter) {
        return match -> Answer.later(limiter.apply(match).stage().thenApply(this::change));
      }

      private Decision change(Decision decision) {
        return Decision.of(
            decision.each().stream()
                .map(each -> each.basis() == basis ? change.apply(each) : each)
                .toList());
      }
    };
  }

  static Decision denied(Decision decision) {
    return Decision.of(Verdict.DENIED, 0, 1_000_000, 1_000_000).withBasis(decision.basis());
  }

  static Decision allowed(Decision decision) {
    return decision.allowed() ? decision : Decision.allowed(0, 0, decision.basis());
  }

  static Decision shortenedWait(Decision decision) {
    return decision
        .retryAfter()
        .map(wait -> decision.agedBy(wait.toNanos() / 2_000))
        .orElse(decision);
  }

  static Decision overlongWait(Decision decision) {
    return decision
        .retryAfter()
        .map(wait -> wait.toNanos() / 500)
        .map(
            wait ->
                Decision.of(Verdict.DENIED, decision.remaining(), wait, wait)
                    .withBasis(decision.basis()))
        .orElse(decision);
  }

  static boolean isFixedWindow(Claim claim) {
    return claim.limit().algorithm() == Algorithm.FIXED_WINDOW;
  }

  static boolean isConcurrency(Claim claim) {
    return claim.limit().algorithm() == Algorithm.CONCURRENCY;
  }

  static Claim half(Claim claim) {
    return claim.withCost(claim.cost() / 2);
  }

  static Claim halfUnlessFixedWindow(Claim claim) {
    return isFixedWindow(claim) ? claim : half(claim);
  }

  static Claim doubledFixedWindow(Claim claim) {
    return isFixedWindow(claim)
        ? claim.withLimit(Limit.fixedWindow(2 * claim.limit().permits(), claim.limit().window()))
        : claim;
  }

  static Scheduler scheduler(LongSupplier nanos, BiConsumer<Long, Runnable> after) {
    return new Scheduler() {
      @Override
      public long nanos() {
        return nanos.getAsLong();
      }

      @Override
      public void schedule(long delayNanos, Runnable work) {
        after.accept(delayNanos, work);
      }
    };
  }

  static Roster changedRoll(Roster roster, BiFunction<String, Roll, Roll> change) {
    return new Roster() {
      @Override
      public CompletionStage<Roll> announce(String server, Duration lasting) {
        return roster.announce(server, lasting).thenApply(roll -> change.apply(server, roll));
      }

      @Override
      public CompletionStage<Void> leave(String server) {
        return roster.leave(server);
      }
    };
  }

  static Roll onlyItself(String self, Roll roll) {
    return new Roll(List.of(self), roll.memory());
  }

  static Roll sameMemory(Roll roll) {
    return new Roll(roll.servers(), "constant");
  }
}
