package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Store;
import dev.weir.guard.Roster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Parts that do not do what they should. */
final class Broken {
  private Broken() {}

  static Store answering(Store store, UnaryOperator<Decision> change) {
    return new Forwarding(store) {
      @Override
      public Answer take(List<Claim> claims) {
        return Answer.later(
            super.take(claims)
                .stage()
                .thenApply(decision -> Decision.of(decision.each().stream().map(change).toList())));
      }
    };
  }

  static Decision allowed(Decision told) {
    return told.allowed() ? told : Decision.of(Verdict.ALLOWED, 0, 0, 0);
  }

  static Decision impatient(Decision told) {
    return told.retryAfter().map(wait -> told.later(wait.toNanos() / 2_000)).orElse(told);
  }

  interface Charging {
    Answer charge(Store store, List<Claim> claims);
  }

  static Store charging(Store store, Charging charging) {
    return new Forwarding(store) {
      @Override
      public Answer charge(List<Claim> claims) {
        return charging.charge(store, claims);
      }
    };
  }

  static Roster alone(Roster roster) {
    return new Roster() {
      @Override
      public CompletionStage<Roll> announce(String server, Duration lasting) {
        return roster
            .announce(server, lasting)
            .thenApply(roll -> new Roll(List.of(server), roll.memory()));
      }

      @Override
      public CompletionStage<Void> leave(String server) {
        return roster.leave(server);
      }
    };
  }
}
