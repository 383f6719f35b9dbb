package dev.weir.server.callers;

import java.util.List;

/**
 * What is remembered of a caller beside the hash of its identity.
 *
 * @param identity the names and values that identify it, alternating; empty unless the operator
 *     wants callers to be revealed
 * @param ofRule whether a rule of our own counts it, so that its counters are found by its identity
 * @param blockable whether the hash is that of a caller, whom operators can block or exempt, and
 *     not that of a single counter
 */
public record CallerNote(List<String> identity, boolean ofRule, boolean blockable) {
  /** Copies the list. */
  public CallerNote {
    identity = List.copyOf(identity);
  }

  /** Of a caller of one of our own rules. */
  static CallerNote ofRule(List<String> identity) {
    return new CallerNote(identity, true, true);
  }
}
