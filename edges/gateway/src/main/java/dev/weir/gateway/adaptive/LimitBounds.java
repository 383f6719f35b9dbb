package dev.weir.gateway.adaptive;

import dev.weir.internal.Rejections;

/**
 * The bounds of an adaptive limit. Immutable.
 *
 * @param initial the limit before anything is known
 * @param min the limit is never less
 * @param max the limit is never more
 */
public record LimitBounds(int initial, int min, int max) {
  /** From 20 on, between 4 and 1000. */
  public static final LimitBounds DEFAULT = new LimitBounds(20, 4, 1_000);

  private static final int HIGHEST = 1_000_000;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if they are not in order, or less than 1
   */
  public LimitBounds {
    Rejections.between("max", max, 1, HIGHEST);
    Rejections.between("min", min, 1, max);
    Rejections.between("initial", initial, min, max);
  }

  double clamp(double limit) {
    return Math.max(min, Math.min(max, limit));
  }
}
