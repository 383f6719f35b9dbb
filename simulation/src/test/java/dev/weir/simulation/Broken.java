package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.guard.Roster;
import dev.weir.guard.Roster.Roll;
import dev.weir.guard.Timers;
import dev.weir.rule.Match;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Parts that do not do what they should. */
final class Broken {
  private Broken() {}

  /** What clients hear is changed, where it was decided so. */
  static Seams heard(Basis basis, UnaryOperator<Decision> change) {
    return new Seams() {
      @Override
      Function<Match, Answer> front(Function<Match, Answer> limiter) {
        return match -> Answer.later(limiter.apply(match).stage().thenApply(this::heard));
      }

      private Decision heard(Decision told) {
        return Decision.of(
            told.each().stream()
                .map(one -> one.basis() == basis ? change.apply(one) : one)
                .toList());
      }
    };
  }

  static Decision denied(Decision told) {
    return Decision.of(Verdict.DENIED, 0, 1_000_000, 1_000_000).on(told.basis());
  }

  static Decision allowed(Decision told) {
    return told.allowed() ? told : Decision.allowed(0, 0, told.basis());
  }

  static Decision impatient(Decision told) {
    return told.retryAfter().map(wait -> told.later(wait.toNanos() / 2_000)).orElse(told);
  }

  static Decision timid(Decision told) {
    return told.retryAfter()
        .map(wait -> wait.toNanos() / 500)
        .map(wait -> Decision.of(Verdict.DENIED, told.remaining(), wait, wait).on(told.basis()))
        .orElse(told);
  }

  static boolean isOfWindow(Claim claim) {
    return claim.limit().algorithm() == Algorithm.FIXED_WINDOW;
  }

  static boolean isOfPlaces(Claim claim) {
    return claim.limit().algorithm() == Algorithm.CONCURRENCY;
  }

  static Claim half(Claim claim) {
    return claim.costing(claim.cost() / 2);
  }

  static Claim less(Claim claim) {
    return isOfWindow(claim) ? claim : half(claim);
  }

  static Claim twice(Claim claim) {
    return isOfWindow(claim)
        ? claim.under(Limit.fixedWindow(2 * claim.limit().permits(), claim.limit().window()))
        : claim;
  }

  static Timers timers(LongSupplier nanos, BiConsumer<Long, Runnable> after) {
    return new Timers() {
      @Override
      public long nanos() {
        return nanos.getAsLong();
      }

      @Override
      public void after(long delayNanos, Runnable work) {
        after.accept(delayNanos, work);
      }
    };
  }

  static Roster hearing(Roster roster, BiFunction<String, Roll, Roll> change) {
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

  static Roll alone(String self, Roll roll) {
    return new Roll(List.of(self), roll.memory());
  }

  static Roll sameMemory(Roll roll) {
    return new Roll(roll.servers(), "the same");
  }
}
