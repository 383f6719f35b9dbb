package dev.weir.shared.fallback;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.algorithm.Concurrency;
import dev.weir.memory.MemoryStore;
import dev.weir.time.Ticker;
import java.util.ArrayList;
import java.util.List;

/**
 * The store that answers while the shared one does not: at once, by this server's part of each
 * limit. Safe for use by any number of threads.
 */
public final class FallbackStore implements Store {
  private final LocalFallback fallback;
  private final MemoryStore counters;
  private final PendingCharges pending;
  private final Ticker ticker;
  private final boolean chargesLater;
  private final boolean tallies;

  /**
   * A view on the counters of a fallback.
   *
   * @param pending grants that are not yet charged to the shared store
   * @param chargesLater whether grants of this store are charged to the shared store later
   * @param tallies whether the counters are tallies, see {@link LocalFallback#mirrorTally}
   */
  FallbackStore(
      LocalFallback fallback,
      MemoryStore counters,
      PendingCharges pending,
      Ticker ticker,
      boolean chargesLater,
      boolean tallies) {
    this.fallback = fallback;
    this.counters = counters;
    this.pending = pending;
    this.ticker = ticker;
    this.chargesLater = chargesLater;
    this.tallies = tallies;
  }

  @Override
  public Decision apply(Operation operation, List<Claim> claims) {
    return switch (operation) {
      case TAKE -> take(claims);
      case PEEK -> peek(claims);
      case REFUND -> refund(claims);
      case CHARGE -> charge(claims);
      case RESET -> reset(claims);
    };
  }

  @Override
  public Decision take(List<Claim> claims) {
    Decision decision = answer(counters.take(localClaims(claims)), claims);
    if (decision.allowed()) {
      chargeLater(claims);
    }
    return decision;
  }

  @Override
  public Decision peek(List<Claim> claims) {
    return answer(counters.peek(localClaims(claims)), claims);
  }

  @Override
  public Decision refund(List<Claim> claims) {
    if (chargesLater) {
      // Otherwise the shared store may have executed the refund itself.
      claims.forEach(claim -> pending.refund(claim, ticker.micros()));
    }
    return answer(counters.refund(localClaims(claims)), claims);
  }

  @Override
  public Decision charge(List<Claim> claims) {
    chargeLater(claims);
    return answer(counters.charge(localClaims(claims)), claims);
  }

  @Override
  public Decision reset(List<Claim> claims) {
    return answer(counters.reset(localClaims(claims)), claims);
  }

  private void chargeLater(List<Claim> claims) {
    if (chargesLater) {
      long nowMicros = ticker.micros();
      claims.stream()
          .filter(claim -> !claim.mode().isLocal())
          .forEach(claim -> pending.add(claim, localLimit(claim), nowMicros));
    }
  }

  private Limit localLimit(Claim claim) {
    return tallies || claim.mode().isLocal() ? claim.limit() : fallback.part(claim.limit());
  }

  private List<Claim> localClaims(List<Claim> claims) {
    List<Claim> local = new ArrayList<>(claims.size());
    claims.forEach(claim -> local.add(claim.withLimit(localLimit(claim))));
    return local;
  }

  /**
   * The decision on the whole limits. A cost that exceeds only this server's part is denied for now
   * and not for ever: the shared store will be back.
   */
  private Decision answer(Decision decision, List<Claim> claims) {
    List<Decision> each = new ArrayList<>(claims.size());
    for (int i = 0; i < claims.size(); i++) {
      Decision one = decision.each().get(i);
      Claim claim = claims.get(i);
      if (one.verdict() == Verdict.NEVER && claim.cost() <= claim.limit().capacity()) {
        long windowMicros = claim.limit().windowMicros();
        long waitMicros =
            claim.limit().algorithm() == Algorithm.CONCURRENCY
                ? Math.min(windowMicros, Concurrency.MAX_RETRY_MICROS)
                : windowMicros;
        one = Decision.of(Verdict.DENIED, one.remaining(), waitMicros, windowMicros);
      }
      each.add(claim.mode().isLocal() ? one : one.withBasis(Basis.LOCAL));
    }
    return Decision.of(List.copyOf(each));
  }
}
