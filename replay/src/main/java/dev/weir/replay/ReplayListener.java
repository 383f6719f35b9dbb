package dev.weir.replay;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.LogProgress;
import dev.weir.replay.result.Spread;
import org.jspecify.annotations.Nullable;

/** Learns how a replay goes on; by default, nothing happens. Called on the thread of the replay. */
public interface ReplayListener {
  /** Nobody listens. */
  ReplayListener NONE = new ReplayListener() {};

  /** How far the log is read; called every few thousand lines. */
  default void onProgress(LogProgress progress) {}

  /**
   * The decision of the proposed rules on a request.
   *
   * @param deniedBy the rule that denies it; null if it may pass
   */
  default void onDecision(LogEntry entry, Spread spread, @Nullable String deniedBy) {}
}
