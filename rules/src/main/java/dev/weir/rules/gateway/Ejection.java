package dev.weir.rules.gateway;

import java.time.Duration;

/**
 * When a server that fails requests gets no more of them. Immutable.
 *
 * @param failures consecutive ones after which a server is ejected
 * @param time for which it is ejected
 * @param maxPercent of the servers that are ejected at the same time, at most
 */
public record Ejection(int failures, Duration time, int maxPercent) {
  /** Five failures, for 30 seconds, at most half of the servers. */
  public static final Ejection DEFAULT = new Ejection(5, Duration.ofSeconds(30), 50);
}
