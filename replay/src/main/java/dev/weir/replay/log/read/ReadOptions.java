package dev.weir.replay.log.read;

import dev.weir.internal.Rejections;
import dev.weir.replay.log.line.LogFormat;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How logs are read.
 *
 * @param format of all files; null to detect it for each
 * @param horizon how much later than other lines a line may be that belongs before them: the
 *     longest usual request
 * @param maxHeld how many requests are held at most to put them into order
 * @param keepsFields whether {@link dev.weir.replay.log.LogEntry#field} will be asked; without it,
 *     requests take less memory and time
 * @param standardInput what {@code -} means
 */
public record ReadOptions(
    @Nullable LogFormat format,
    Duration horizon,
    int maxHeld,
    boolean keepsFields,
    InputStream standardInput) {
  private static final int MAX_HELD = 1 << 16;

  /** Refuses what makes no sense. */
  public ReadOptions {
    Rejections.between("horizon in seconds", horizon.toSeconds(), 0, 3_600);
    Rejections.between("held requests", maxHeld, 1, 1 << 24);
  }

  /** Formats are detected, a minute is the longest usual request, and all fields are kept. */
  public static ReadOptions defaults() {
    return new ReadOptions(null, Duration.ofMinutes(1), MAX_HELD, true, System.in);
  }

  /** The same with a format; null to detect it. */
  public ReadOptions withFormat(@Nullable LogFormat other) {
    return new ReadOptions(other, horizon, maxHeld, keepsFields, standardInput);
  }

  /** The same with another horizon. */
  public ReadOptions withHorizon(Duration other) {
    return new ReadOptions(format, other, maxHeld, keepsFields, standardInput);
  }

  /** The same with other bounds for what is held. */
  public ReadOptions withMaxHeld(int other) {
    return new ReadOptions(format, horizon, other, keepsFields, standardInput);
  }

  /** The same, but requests have no fields besides what they need. */
  public ReadOptions withoutFields() {
    return new ReadOptions(format, horizon, maxHeld, false, standardInput);
  }

  /** The same with another standard input. */
  public ReadOptions withStandardInput(InputStream other) {
    return new ReadOptions(format, horizon, maxHeld, keepsFields, other);
  }
}
