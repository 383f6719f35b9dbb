package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import dev.weir.simulation.PlantedBug.Charging;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Stores that do not do what they are asked, or not so. */
final class BrokenStores {
  private BrokenStores() {}

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

  static Store denying(Store store) {
    return new Forwarding(store) {
      @Override
      public Answer take(List<Claim> claims) {
        Decision no = Decision.of(Verdict.DENIED, 0, 1_000_000, 1_000_000);
        return Decision.of(claims.stream().map(one -> no).toList());
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

  /** What is local is asked for in another way. */
  static Store local(Store store, UnaryOperator<Claim> change) {
    return new Forwarding(store) {
      @Override
      protected Answer ask(Operation operation, List<Claim> claims) {
        return super.ask(
            operation,
            claims.stream().map(one -> one.mode().isLocal() ? change.apply(one) : one).toList());
      }
    };
  }

  /** Once it has failed, it fails for ever. */
  static Store losingHeart(Store store) {
    return new Forwarding(store) {
      private boolean failed;

      @Override
      protected Answer ask(Operation operation, List<Claim> claims) {
        return failed
            ? Answer.failed(new StoreFailure(Effect.NONE, "gone", null))
            : Answer.later(
                super.ask(operation, claims)
                    .stage()
                    .whenComplete((decision, failure) -> failed |= failure != null));
      }
    };
  }
}
