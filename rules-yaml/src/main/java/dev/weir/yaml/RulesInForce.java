package dev.weir.yaml;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The rules in force now, wherever they come from. Asking never waits. */
public interface RulesInForce {

  /**
   * How it goes with those who give rules.
   *
   * @param version of the rules in force
   * @param since when they came into force
   * @param reloads how many versions were taken on after the first
   * @param refusals how many were not
   * @param problems what is wrong with the newest version; empty if it is the one in force
   * @param refusedVersion the newest version where it is refused; empty if it is in force, or if
   *     nothing could be read
   * @param missing what is waited for, where nothing came that could be refused
   */
  record Status(
      String version,
      Instant since,
      long reloads,
      long refusals,
      List<String> problems,
      String refusedVersion,
      List<String> missing) {
    /** Whether the newest version is not the one in force. */
    public boolean isRefusedPending() {
      return !problems.isEmpty();
    }

    /** All that an operator should know of: what is wrong, and what is waited for. */
    public List<String> notes() {
      return Stream.concat(problems.stream(), missing.stream()).toList();
    }
  }

  LiveRules current();

  Status status();

  /** Done once everybody who gives rules has given some; before that, some limits are unknown. */
  CompletionStage<Void> loaded();

  /** Whether that is done. */
  boolean isLoaded();
}
