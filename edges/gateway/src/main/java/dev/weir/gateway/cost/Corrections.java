package dev.weir.gateway.cost;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.StoreFailure;
import dev.weir.gateway.cost.Settled.Amount;
import dev.weir.limiter.Limiter;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Charges and refunds the differences between estimates and true costs.
 *
 * <p><b>Without the store.</b> A refund is dropped. A charge is counted by this process and charged
 * to the store later, unless the rule allows what it cannot count, or the store may have counted it
 * already: nothing is charged twice.
 */
final class Corrections {
  private final Limiter limiter;
  private final Decision granted;

  /**
   * Corrections of a grant.
   *
   * @param granted tells where the estimates were counted: in the store, or by this process
   */
  Corrections(Limiter limiter, Decision granted) {
    this.limiter = limiter;
    this.granted = granted;
  }

  /** Applies the amounts; the stage completes when the store has answered, or has failed to. */
  CompletionStage<?> apply(List<Amount> amounts) {
    return CompletableFuture.allOf(
        charge(
                amounts.stream()
                    .filter(one -> one.charged() > 0)
                    .map(one -> one.charge().withCost(one.charged()))
                    .toList())
            .toCompletableFuture(),
        refund(
                amounts.stream()
                    .filter(one -> one.refunded() > 0)
                    .map(one -> one.charge().withCost(one.refunded()))
                    .toList())
            .toCompletableFuture());
  }

  private CompletionStage<?> charge(List<Charge> charges) {
    if (charges.isEmpty()) {
      return CompletableFuture.completedStage(null);
    }
    return limiter
        .charge(Match.of(charges))
        .stage()
        .exceptionally(
            failure -> {
              chargeLater(charges, failure);
              return Decision.of(List.of());
            });
  }

  private void chargeLater(List<Charge> charges, Throwable thrown) {
    StoreFailure failure = limiter.degradation().storeFailure(thrown);
    if (failure == null) {
      return;
    }
    List<Claim> claims =
        charges.stream()
            .filter(one -> one.failureMode() != FailureMode.ALLOW)
            .map(Charge::claim)
            .toList();
    if (!claims.isEmpty()) {
      var unused = limiter.degradation().localStore(failure).charge(claims);
    }
  }

  private CompletionStage<?> refund(List<Charge> charges) {
    if (charges.isEmpty()) {
      return CompletableFuture.completedStage(null);
    }
    Match match = Match.of(charges);
    if (granted.basis().compareTo(Basis.LOCAL) >= 0) {
      limiter.giveBack(match, granted);
      return CompletableFuture.completedStage(null);
    }
    return limiter.refund(match).stage().exceptionally(failure -> Decision.of(List.of()));
  }
}
