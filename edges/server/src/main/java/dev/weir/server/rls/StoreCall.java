package dev.weir.server.rls;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.limiter.Degradation;
import dev.weir.rule.FailureMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** One call to a store. None of its checks is {@linkplain LimitCheck#isBlocked blocked}. */
record StoreCall(Kind kind, List<LimitCheck> checks) {
  /** What the call does. */
  enum Kind {
    /** Takes all or none. */
    TAKE,
    /** Answers what {@link #TAKE} would; the request is denied whatever the answer is. */
    TRY,
    /** Reads the counters: over is only a counter that exceeds its limit. */
    PEEK,
    /** Gives permits back. */
    REFUND,
    /** Charges although there is no room. */
    CHARGE;

    /** Whether the store's verdict is the one that the client gets. */
    boolean isDecisive() {
      return this == TAKE || this == TRY || this == PEEK;
    }
  }

  /** Sends the call. */
  Answer send(Store store) {
    List<Claim> claims = new ArrayList<>(checks.size());
    for (LimitCheck check : checks) {
      claims.add(Objects.requireNonNull(check.claim));
    }
    return switch (kind) {
      case TAKE -> send(claims, store::take);
      case TRY, PEEK -> send(claims, store::peek);
      case REFUND -> store.refund(claims);
      case CHARGE -> store.charge(claims);
    };
  }

  /** All tallies on one counter are under the same limit, the one that is never reached. */
  private Answer send(List<Claim> claims, Function<List<Claim>, Answer> store) {
    CommonLimits common = checks.get(0).tallied ? null : CommonLimits.of(claims);
    return common == null ? store.apply(claims) : common.send(store);
  }

  /** Whether each check is charged by itself, whatever becomes of the others. */
  boolean isTally() {
    return kind == Kind.TAKE && checks.get(0).tallied;
  }

  StoreCall as(Kind other) {
    return new StoreCall(other, checks);
  }

  /** Whether any of the checks denies while the store does not answer. */
  boolean deniesWithoutStore() {
    return checks.stream().anyMatch(check -> failureMode(check) == FailureMode.DENY);
  }

  /** Allows or denies by failure mode, and returns the checks that are to be counted locally. */
  List<LimitCheck> decideWithoutStore() {
    List<LimitCheck> local = new ArrayList<>();
    for (LimitCheck check : checks) {
      switch (failureMode(check)) {
        case ALLOW -> check.allowUncounted();
        case LOCAL -> local.add(check);
        case DENY -> check.denyUncounted();
      }
    }
    return local;
  }

  /** A check that costs nothing is like a peek, whatever the others of its call do. */
  private FailureMode failureMode(LimitCheck check) {
    boolean spends = kind != Kind.REFUND && kind != Kind.PEEK && !check.isPeek();
    Operation operation = spends ? Operation.TAKE : Operation.PEEK;
    return Degradation.mode(operation, check.claim(), check.terms.failureMode());
  }
}
