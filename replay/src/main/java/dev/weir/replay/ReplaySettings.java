package dev.weir.replay;

import dev.weir.internal.Rejections;
import dev.weir.replay.result.Spread;
import java.util.List;
import java.util.Optional;

/**
 * How a log is replayed. Immutable.
 *
 * @param files the names of the logs, for reports
 * @param spread the only spread to try; if empty, all of them where the log tells seconds alone
 * @param seed of the random spread
 * @param dropRetries whether to leave out probable retries after a 429 that the log records
 * @param hurtShare a caller is hurt if more than this share of its requests is denied
 * @param maxKeys how many counters each run may have at a time
 * @param maxCallers how many callers are distinguished
 */
public record ReplaySettings(
    List<String> files,
    Optional<Spread> spread,
    long seed,
    boolean dropRetries,
    double hurtShare,
    long maxKeys,
    long maxCallers) {
  /** The default share beyond which a caller is hurt: 5 %. */
  public static final double DEFAULT_HURT_SHARE = 0.05;

  /** The default number of counters of each run. */
  public static final long DEFAULT_MAX_KEYS = 1L << 24;

  /** The default number of callers who are distinguished. */
  public static final long DEFAULT_MAX_CALLERS = 4_000_000;

  /** Copies the list, and rejects numbers out of range with an {@link IllegalArgumentException}. */
  public ReplaySettings {
    files = List.copyOf(files);
    if (!(hurtShare >= 0 && hurtShare < 1)) {
      throw Rejections.of("hurtShare", hurtShare, "from 0 to less than 1");
    }
    Rejections.between("maxKeys", maxKeys, 1, 1L << 30);
    Rejections.between("maxCallers", maxCallers, 1, 1L << 26);
  }

  /** The defaults, for logs of these names. */
  public static ReplaySettings of(List<String> files) {
    return new ReplaySettings(
        files,
        Optional.empty(),
        1,
        false,
        DEFAULT_HURT_SHARE,
        DEFAULT_MAX_KEYS,
        DEFAULT_MAX_CALLERS);
  }

  /** A copy with one spread only. */
  public ReplaySettings withSpread(Optional<Spread> only) {
    return new ReplaySettings(files, only, seed, dropRetries, hurtShare, maxKeys, maxCallers);
  }

  /** A copy with another seed. */
  public ReplaySettings withSeed(long other) {
    return new ReplaySettings(files, spread, other, dropRetries, hurtShare, maxKeys, maxCallers);
  }

  /** A copy that leaves retries out, or keeps them. */
  public ReplaySettings withDropRetries(boolean drop) {
    return new ReplaySettings(files, spread, seed, drop, hurtShare, maxKeys, maxCallers);
  }

  /** A copy with another share beyond which a caller is hurt. */
  public ReplaySettings withHurtShare(double share) {
    return new ReplaySettings(files, spread, seed, dropRetries, share, maxKeys, maxCallers);
  }

  /** A copy with other bounds of memory. */
  public ReplaySettings withBounds(long keys, long callers) {
    return new ReplaySettings(files, spread, seed, dropRetries, hurtShare, keys, callers);
  }
}
