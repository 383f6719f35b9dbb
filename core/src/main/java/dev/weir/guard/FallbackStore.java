package dev.weir.guard;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.algorithm.Concurrency;
import dev.weir.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;

/**
 * The store that answers while the shared one does not: at once, by this server's part of each
 * limit.
 */
public final class FallbackStore implements Store {
  private final Standby standby;
  private final MemoryStore counters;
  private final Owed pending;
  private final Ticker ticker;
  private final boolean charges;
  private final boolean unlimited;

  /**
   * @param pending grants of which the shared store has yet to hear
   * @param charges whether what is granted here is charged to the shared store later
   * @param unlimited whether the counters have no limit, and somebody else judges by them
   */
  FallbackStore(
      Standby standby,
      MemoryStore counters,
      Owed pending,
      Ticker ticker,
      boolean charges,
      boolean unlimited) {
    this.standby = standby;
    this.counters = counters;
    this.pending = pending;
    this.ticker = ticker;
    this.charges = charges;
    this.unlimited = unlimited;
  }

  @Override
  public Decision take(List<Claim> claims) {
    Decision decision = answer(counters.take(parts(claims)), claims);
    if (decision.allowed()) {
      chargeLater(claims);
    }
    return decision;
  }

  @Override
  public Decision look(List<Claim> claims) {
    return answer(counters.look(parts(claims)), claims);
  }

  @Override
  public Decision refund(List<Claim> claims) {
    if (charges) {
      // Otherwise the store may have given it back itself.
      claims.forEach(claim -> pending.giveBack(claim, ticker.micros()));
    }
    return answer(counters.refund(parts(claims)), claims);
  }

  @Override
  public Decision charge(List<Claim> claims) {
    chargeLater(claims);
    return answer(counters.charge(parts(claims)), claims);
  }

  @Override
  public Answer forget(List<Claim> claims) {
    return answer(counters.forget(parts(claims)), claims);
  }

  private void chargeLater(List<Claim> claims) {
    if (charges) {
      long nowMicros = ticker.micros();
      claims.stream()
          .filter(claim -> !claim.mode().isLocal())
          .forEach(claim -> pending.add(claim, kept(claim), nowMicros));
    }
  }

  private Limit kept(Claim claim) {
    return unlimited || claim.mode().isLocal() ? claim.limit() : standby.part(claim.limit());
  }

  private List<Claim> parts(List<Claim> claims) {
    List<Claim> parts = new ArrayList<>(claims.size());
    claims.forEach(claim -> parts.add(claim.under(kept(claim))));
    return parts;
  }

  /** What is too much for a part is not too much for ever: the store will be back. */
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
      each.add(claim.mode().isLocal() ? one : one.on(Basis.ALONE));
    }
    return Decision.of(List.copyOf(each));
  }
}
