package dev.weir;

/**
 * How exactly a limit is kept across servers, and what that costs.
 *
 * @param share in ten-thousandths: of a leased limit what all servers together may hold in advance,
 *     of a local one what this server keeps to
 */
public record Mode(Kind kind, int share) {

  /** The whole, in the units of {@link #share}. */
  public static final int WHOLE = 10_000;

  /** What may be leased if nobody says otherwise: a twentieth. */
  public static final int USUAL_LEASE = 500;

  /** Every request is counted by the store. */
  public static final Mode STRICT = new Mode(Kind.STRICT, WHOLE);

  /** The ways to keep a limit. */
  public enum Kind {
    /** Every request is counted by the store, which all servers share. */
    STRICT,
    /** A server takes permits in advance and spends them by itself. */
    LEASED,
    /** Strict, and leased for those callers of whom much comes to this server. */
    AUTOMATIC,
    /** Each server keeps to a share of the limit and asks nobody. */
    LOCAL
  }

  public Mode {
    Refusal.between("share", share, 1, WHOLE);
  }

  public static Mode leased() {
    return new Mode(Kind.LEASED, USUAL_LEASE);
  }

  public static Mode automatic() {
    return new Mode(Kind.AUTOMATIC, USUAL_LEASE);
  }

  public static Mode local() {
    return new Mode(Kind.LOCAL, WHOLE);
  }

  /** Whether each server counts by itself and the store is never asked. */
  public boolean isLocal() {
    return kind == Kind.LOCAL;
  }

  /** Whether permits may be taken in advance. */
  public boolean leases() {
    return kind == Kind.LEASED || kind == Kind.AUTOMATIC;
  }

  /**
   * Whether it makes sense for such limits. A place in flight, or in a queue, is one caller's: it
   * cannot be taken before the caller is there.
   */
  public boolean suits(Algorithm algorithm) {
    return !leases() || (algorithm != Algorithm.CONCURRENCY && algorithm != Algorithm.LEAKY_BUCKET);
  }
}
