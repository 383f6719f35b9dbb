package dev.weir.rules;

import dev.weir.rules.action.Adjustment;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The rules that are active now, whatever their source. Thread-safe; no method but {@link #adjust}
 * takes long.
 */
public interface ActiveRules {

  /**
   * The state of the sources of rules.
   *
   * @param version of the active rules
   * @param since when they became active
   * @param reloads the number of versions that were accepted after the first
   * @param refusals the number of versions that were refused
   * @param problems of the newest version; empty if it is active
   * @param refusedVersion the newest version if it was refused; empty if it is active, or if
   *     nothing could be read
   * @param missing what sources still wait for, without having received anything invalid
   */
  record Status(
      String version,
      Instant since,
      long reloads,
      long refusals,
      List<String> problems,
      String refusedVersion,
      List<String> missing) {
    /** Whether the newest version was refused, so that an older one is active. */
    public boolean isNewestRefused() {
      return !problems.isEmpty();
    }

    /** Everything an operator should know: problems, and what is missing. */
    public List<String> notes() {
      return Stream.concat(problems.stream(), missing.stream()).toList();
    }
  }

  /** The active version; read and match one request by the same snapshot. */
  RulesSnapshot current();

  /** The state of the sources. */
  Status status();

  /**
   * Adjusts the active rules, and each version after them, as operators wish for a while. Compiles
   * what changes on the calling thread, so do not call it on an event loop.
   *
   * @param adjustments all that are in force, the oldest first; they replace those before
   */
  void adjust(List<Adjustment> adjustments);

  /** Completes once every source has delivered rules; before that, some limits are unknown. */
  CompletionStage<Void> loaded();

  /** Whether {@link #loaded} is complete. */
  boolean isLoaded();
}
