package dev.weir;

import dev.weir.internal.Rejections;

/**
 * How exactly a limit is kept across servers, and what that costs.
 *
 * @param share a part of the limit in ten-thousandths: what all servers together may lease in
 *     advance, or, in a local mode, what this server grants
 */
public record Mode(Kind kind, int share) {

  /** A {@link #share} of the whole limit. */
  public static final int WHOLE = 10_000;

  /** The share that may be leased by default: a twentieth. */
  public static final int DEFAULT_LEASE = 500;

  /** Every request is counted by the store. */
  public static final Mode STRICT = new Mode(Kind.STRICT, WHOLE);

  /** The kinds of modes. */
  public enum Kind {
    /** Every request is counted by the store, which all servers share. */
    STRICT,
    /** A server leases permits in advance and grants from them without the store. */
    LEASED,
    /** Strict, and leased for callers with much traffic on this server. */
    AUTOMATIC,
    /** Each server grants a share of the limit and never calls the store. */
    LOCAL
  }

  /** Rejects a share that is not between 1 and {@link #WHOLE}. */
  public Mode {
    Rejections.between("share", share, 1, WHOLE);
  }

  /** {@link Kind#LEASED} with the default share. */
  public static Mode leased() {
    return new Mode(Kind.LEASED, DEFAULT_LEASE);
  }

  /** {@link Kind#AUTOMATIC} with the default share. */
  public static Mode automatic() {
    return new Mode(Kind.AUTOMATIC, DEFAULT_LEASE);
  }

  /** {@link Kind#LOCAL} with the whole limit on each server. */
  public static Mode local() {
    return new Mode(Kind.LOCAL, WHOLE);
  }

  /** Whether each server counts locally and never calls the store. */
  public boolean isLocal() {
    return kind == Kind.LOCAL;
  }

  /** Whether servers may lease permits in advance. */
  public boolean leases() {
    return kind == Kind.LEASED || kind == Kind.AUTOMATIC;
  }

  /**
   * Whether limits of this algorithm support the mode. A concurrency permit or a queue slot belongs
   * to one caller, so it cannot be leased before that caller arrives.
   */
  public boolean supports(Algorithm algorithm) {
    return !leases() || (algorithm != Algorithm.CONCURRENCY && algorithm != Algorithm.LEAKY_BUCKET);
  }
}
