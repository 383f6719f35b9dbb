package dev.weir.limiter;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.shared.fallback.FallbackStore;
import dev.weir.shared.fallback.LocalFallback;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a request continues while the shared store does not answer. Every edge uses this one.
 *
 * <p><b>How.</b> Each charge has a {@linkplain #mode failure mode}: allow it uncounted, count it in
 * the local fallback, or deny it. After a {@link #storeFailure}, an edge takes the charges to be
 * counted locally from {@link #localStore}; one charge that denies makes the request fail.
 *
 * <p><b>Why operations are mirrored.</b> Without the grants of the store, the fallback would begin
 * an outage with a full budget. So an edge {@linkplain #mirror mirrors} each operation of the
 * store, for charges that an outage would count locally.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Degradation {
  private final @Nullable LocalFallback fallback;

  /**
   * Applies failure modes with a local fallback.
   *
   * @param fallback counts during outages; null where the store is in this process and always
   *     answers
   */
  public Degradation(@Nullable LocalFallback fallback) {
    this.fallback = fallback;
  }

  /**
   * The failure mode of a charge. A claim in local mode is counted locally as always; an operation
   * that spends nothing is never denied.
   */
  public static FailureMode mode(Operation operation, Claim claim, FailureMode configured) {
    if (claim.mode().isLocal()) {
      return FailureMode.LOCAL;
    }
    boolean spends = operation == Operation.TAKE || operation == Operation.CHARGE;
    return configured == FailureMode.DENY && !spends ? FailureMode.ALLOW : configured;
  }

  /**
   * The failure mode by which a decision was made; empty if the store took part in it. A denial
   * counts by the claim that denied; otherwise the strictest mode of any claim counts.
   */
  public static Optional<FailureMode> failureMode(Decision decision) {
    if (decision.basis().compareTo(Basis.LOCAL) < 0) {
      return Optional.empty();
    }
    if (!decision.allowed()) {
      return failureMode(decision.each().get(decision.decisive().orElseThrow()).basis());
    }
    boolean alone = decision.each().stream().anyMatch(claim -> claim.basis() == Basis.LOCAL);
    return failureMode(alone ? Basis.LOCAL : decision.basis());
  }

  private static Optional<FailureMode> failureMode(Basis basis) {
    return switch (basis) {
      case COUNTED, LEASED, CACHED -> Optional.empty();
      case LOCAL -> Optional.of(FailureMode.LOCAL);
      case UNCOUNTED -> Optional.of(FailureMode.ALLOW);
    };
  }

  /** The failure of the store; null if something else failed, or there is no fallback. */
  public @Nullable StoreFailure storeFailure(@Nullable Throwable thrown) {
    return thrown != null
            && fallback != null
            && StoreFailure.cause(thrown) instanceof StoreFailure failure
        ? failure
        : null;
  }

  /** The store that counts locally after a failure of the shared one. */
  public FallbackStore localStore(StoreFailure failure) {
    return Objects.requireNonNull(fallback).storeAfter(failure);
  }

  /** Like {@link #localStore}, for {@linkplain #mirrorTally tallies}. */
  public FallbackStore localTallies(StoreFailure failure) {
    return Objects.requireNonNull(fallback).talliesAfter(failure);
  }

  /** This server's part of {@code permits}, at least 1 unless there are none. */
  public long part(long permits) {
    return fallback == null ? permits : fallback.part(permits);
  }

  /**
   * The store's answer, should it still arrive after the deadline. A request that would be denied
   * without an answer waits for it.
   */
  public Optional<Answer> lateAnswer(@Nullable Throwable thrown) {
    return thrown != null && StoreFailure.cause(thrown) instanceof StoreFailure failure
        ? failure.late()
        : Optional.empty();
  }

  /** Whether a decision was granted by the store, so that the fallback has not counted it. */
  static boolean isFromStore(Decision decision) {
    return decision.allowed() && decision.basis().compareTo(Basis.LOCAL) < 0;
  }

  /** Refunds what was counted locally; it is not charged to the store later. */
  void refundLocal(List<Claim> claims) {
    if (fallback != null) {
      fallback.refundLocal(claims);
    }
  }

  /** Mirrors an operation of the store on all charges of a match. */
  void mirror(Operation operation, Match match) {
    for (Charge charge : match.charges()) {
      mirror(operation, charge.claim(), charge.failureMode());
    }
  }

  /** Mirrors an operation of the store on one claim. */
  public void mirror(Operation operation, Claim claim, FailureMode configured) {
    if (fallback == null || configured != FailureMode.LOCAL) {
      return;
    }
    switch (operation) {
      case TAKE, CHARGE -> fallback.mirrorGrant(claim);
      case REFUND -> fallback.mirrorRefund(claim);
      case RESET -> fallback.mirrorReset(claim);
      case PEEK -> {}
    }
  }

  /**
   * Mirrors a charge to a tally: a counter whose own limit is never reached, because its edge
   * compares the count with {@code max}.
   */
  public void mirrorTally(Operation operation, Claim claim, long max, FailureMode configured) {
    if (fallback == null || configured != FailureMode.LOCAL) {
      return;
    }
    if (operation == Operation.TAKE) {
      fallback.mirrorTally(claim, max);
    } else if (operation == Operation.REFUND) {
      fallback.mirrorTallyRefund(claim);
    }
  }

  /** Releases concurrency permits that were counted locally. */
  void release(List<Claim> held) {
    if (fallback != null) {
      fallback.release(held);
    }
  }

  /** Whether the store may fail at all. */
  boolean isPossible() {
    return fallback != null;
  }
}
