package dev.weir.replay.result;

import java.util.List;

/**
 * Denials of one group over time.
 *
 * @param grouping what it is a group of
 * @param name of the group; empty for all together
 * @param denied one count for each bucket of the timeline of the log
 */
public record DeniedSeries(Grouping grouping, String name, List<Long> denied) {
  /** Copies the list. */
  public DeniedSeries {
    denied = List.copyOf(denied);
  }
}
