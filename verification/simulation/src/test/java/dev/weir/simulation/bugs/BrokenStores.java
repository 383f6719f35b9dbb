package dev.weir.simulation.bugs;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.simulation.bugs.PlantedBug.Charging;
import dev.weir.simulation.exchange.ForwardingStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Broken stores. */
final class BrokenStores {
  private BrokenStores() {}

  static Store answering(Store store, UnaryOperator<Decision> change) {
    return new ForwardingStore(store) {
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
    return new ForwardingStore(store) {
      @Override
      public Answer take(List<Claim> claims) {
        Decision denial = Decision.of(Verdict.DENIED, 0, 1_000_000, 1_000_000);
        return Decision.of(claims.stream().map(claim -> denial).toList());
      }
    };
  }

  /** Allows a request that gets no answer. */
  static Store allowingUnanswered(Store store, Basis basis) {
    return new ForwardingStore(store) {
      @Override
      public Answer take(List<Claim> claims) {
        Decision free = Decision.allowed(1, 0, basis);
        List<Decision> each = claims.stream().map(claim -> free).toList();
        return Answer.later(super.take(claims).stage().exceptionally(failure -> Decision.of(each)));
      }
    };
  }

  /**
   * A store that recognizes calls of leases: they have strict claims on counters in leased mode.
   */
  static class Leasing extends ForwardingStore {
    private final Set<LimitKey> leased = new HashSet<>();

    Leasing(Store store) {
      super(store);
    }

    Answer refill(List<Claim> claims) {
      return super.take(claims);
    }

    Answer returnPermits(List<Claim> claims) {
      return super.refund(claims);
    }

    @Override
    public Answer take(List<Claim> claims) {
      claims.stream()
          .filter(claim -> claim.mode().leases())
          .forEach(claim -> leased.add(claim.key()));
      return isLeaseCall(claims) ? refill(claims) : super.take(claims);
    }

    @Override
    public Answer refund(List<Claim> claims) {
      return isLeaseCall(claims) ? returnPermits(claims) : super.refund(claims);
    }

    private boolean isLeaseCall(List<Claim> claims) {
      return claims.get(0).mode().equals(Mode.STRICT) && leased.contains(claims.get(0).key());
    }
  }

  static Store charging(Store store, Charging charging) {
    return new ForwardingStore(store) {
      @Override
      public Answer charge(List<Claim> claims) {
        return charging.charge(store, claims);
      }
    };
  }

  /** Changes the claims in local mode. */
  static Store changingLocalClaims(Store store, UnaryOperator<Claim> change) {
    return new ForwardingStore(store) {
      @Override
      public Answer apply(Operation operation, List<Claim> claims) {
        return super.apply(
            operation,
            claims.stream()
                .map(claim -> claim.mode().isLocal() ? change.apply(claim) : claim)
                .toList());
      }
    };
  }

  /** Fails forever after its first failure. */
  static Store failingForever(Store store) {
    return new ForwardingStore(store) {
      private boolean failed;

      @Override
      public Answer apply(Operation operation, List<Claim> claims) {
        return failed
            ? Answer.failed(new StoreFailure(Effect.NONE, "gone", null))
            : Answer.later(
                super.apply(operation, claims)
                    .stage()
                    .whenComplete((decision, failure) -> failed |= failure != null));
      }
    };
  }
}
