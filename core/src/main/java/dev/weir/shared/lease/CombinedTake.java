package dev.weir.shared.lease;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Mode.Kind;
import dev.weir.StoreFailure;
import dev.weir.async.CallerFuture;
import dev.weir.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes the claims of one request, all or none, from leases, local counters and the store.
 *
 * <p>What can be decided in this process comes first: leases, then local counters, and the store
 * last. If any of them denies, or the store fails, what was already taken is given back.
 */
final class CombinedTake {
  private final ModeRoutingStore routing;
  private final Leases leases;
  private final MemoryStore local;
  private final List<Claim> claims;
  private final long nowNanos;
  private final @Nullable Decision[] decisions;
  private final List<Claim> storeClaims = new ArrayList<>();
  private final List<Claim> leasedClaims = new ArrayList<>();
  private final List<Claim> localClaims = new ArrayList<>();

  CombinedTake(
      ModeRoutingStore routing,
      Leases leases,
      MemoryStore local,
      List<Claim> claims,
      long nowNanos) {
    this.routing = routing;
    this.leases = leases;
    this.local = local;
    this.claims = claims;
    this.nowNanos = nowNanos;
    this.decisions = new Decision[claims.size()];
  }

  Answer take() {
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      if (claim.mode().kind() == Kind.LOCAL) {
        localClaims.add(claim);
        continue;
      }
      decisions[i] = routing.spendLease(claim, nowNanos);
      (decisions[i] == null ? storeClaims : leasedClaims).add(claim);
    }
    if (!localClaims.isEmpty()) {
      Decision decision = local.take(localClaims);
      fill(decision, true);
      if (!decision.allowed()) {
        localClaims.clear(); // nothing was taken
        undo();
        return combined();
      }
    }
    if (storeClaims.isEmpty()) {
      return combined();
    }
    Answer answer = routing.takeFromStore(storeClaims, nowNanos, () -> {});
    if (answer instanceof Decision decision) {
      return complete(decision);
    }
    return CallerFuture.relay(
        answer,
        (decision, failure) -> {
          if (decision == null) {
            undo();
            throw failed(failure);
          }
          return complete(decision);
        },
        () -> routing.refund(claims));
  }

  /** Drops a late answer that covers only some of the claims: the others are already undone. */
  private CompletionException failed(@Nullable Throwable thrown) {
    Throwable cause = thrown == null ? null : StoreFailure.cause(thrown);
    boolean all = storeClaims.size() == claims.size();
    return new CompletionException(
        cause instanceof StoreFailure failure && !all ? failure.withoutLate() : cause);
  }

  private Decision complete(Decision ofStore) {
    fill(ofStore, false);
    if (!ofStore.allowed()) {
      undo();
    }
    return combined();
  }

  /** Puts the decisions on the local claims, or on those of the store, at their indexes. */
  private void fill(Decision decision, boolean ofLocal) {
    int next = 0;
    for (int i = 0; i < decisions.length; i++) {
      boolean isLocal = claims.get(i).mode().kind() == Kind.LOCAL;
      if (isLocal == ofLocal && (ofLocal || decisions[i] == null)) {
        decisions[i] = decision.each().get(next++);
      }
    }
  }

  /**
   * A claim that the store was not called for counts as allowed, with nothing known to be spent.
   */
  private Decision combined() {
    List<Decision> each = new ArrayList<>(decisions.length);
    for (int i = 0; i < decisions.length; i++) {
      Decision one = decisions[i];
      long capacity = claims.get(i).limit().capacity();
      each.add(one == null ? Decision.allowed(capacity, 0, Decision.Basis.COUNTED) : one);
    }
    Decision decision = Decision.of(List.copyOf(each));
    if (decision.allowed()) {
      routing.onLeasesSpent(leasedClaims.size());
    }
    return decision;
  }

  private void undo() {
    leasedClaims.forEach(claim -> leases.unspend(claim, nowNanos));
    if (!localClaims.isEmpty()) {
      var unused = local.refund(localClaims);
    }
  }
}
