package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Store;
import dev.weir.guard.Roster;
import dev.weir.rule.Match;
import dev.weir.simulation.PlantedBug.Charging;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
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

  /** Who gets no answer passes. */
  static Store unanswered(Store store, Basis basis) {
    return new Forwarding(store) {
      @Override
      public Answer take(List<Claim> claims) {
        Decision free = Decision.allowed(1, 0, basis);
        List<Decision> each = claims.stream().map(one -> free).toList();
        return Answer.later(super.take(claims).stage().exceptionally(failure -> Decision.of(each)));
      }
    };
  }

  /** What clients hear from a server that counts by itself is changed. */
  static Seams alone(UnaryOperator<Decision> change) {
    return new Seams() {
      @Override
      Function<Match, Answer> front(Function<Match, Answer> limiter) {
        return match -> Answer.later(limiter.apply(match).stage().thenApply(this::heard));
      }

      private Decision heard(Decision told) {
        return Decision.of(
            told.each().stream()
                .map(one -> one.basis() == Basis.ALONE ? change.apply(one) : one)
                .toList());
      }
    };
  }

  static Decision denied(Decision told) {
    return Decision.of(Verdict.DENIED, 0, 1_000_000, 1_000_000).on(told.basis());
  }

  static Decision allowed(Decision told) {
    return told.allowed() ? told : Decision.of(Verdict.ALLOWED, 0, 0, 0);
  }

  static Decision impatient(Decision told) {
    return told.retryAfter().map(wait -> told.later(wait.toNanos() / 2_000)).orElse(told);
  }

  static Decision timid(Decision told) {
    return told.retryAfter()
        .map(wait -> wait.toNanos() / 500)
        .map(wait -> Decision.of(Verdict.DENIED, told.remaining(), wait, wait))
        .orElse(told);
  }

  static boolean isOfWindow(Claim claim) {
    return claim.limit().algorithm() == Algorithm.FIXED_WINDOW;
  }

  static Claim half(Claim claim) {
    return claim.costing(claim.cost() / 2);
  }

  static Claim less(Claim claim) {
    return isOfWindow(claim) ? claim : half(claim);
  }

  /** A store that knows what is asked by leases: they ask for the store alone. */
  static class Leasing extends Forwarding {
    private final Set<LimitKey> leased = new HashSet<>();

    Leasing(Store store) {
      super(store);
    }

    Answer refill(List<Claim> claims) {
      return super.take(claims);
    }

    Answer giveBack(List<Claim> claims) {
      return super.refund(claims);
    }

    @Override
    public Answer take(List<Claim> claims) {
      claims.stream().filter(one -> one.mode().leases()).forEach(one -> leased.add(one.key()));
      return isOfLease(claims) ? refill(claims) : super.take(claims);
    }

    @Override
    public Answer refund(List<Claim> claims) {
      return isOfLease(claims) ? giveBack(claims) : super.refund(claims);
    }

    private boolean isOfLease(List<Claim> claims) {
      return claims.get(0).mode().equals(Mode.STRICT) && leased.contains(claims.get(0).key());
    }
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
