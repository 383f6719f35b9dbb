package dev.weir.replay.result;

/** By what denials are grouped. */
public enum Grouping {
  /** All together. */
  ALL,
  /** By the rule that denies. */
  RULE,
  /** By method and path, with {@code *} for what differs. */
  ROUTE,
  /** By how the caller is known, and its tier. */
  KIND
}
