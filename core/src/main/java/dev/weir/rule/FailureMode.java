package dev.weir.rule;

/** What happens to a request while the store does not answer. */
public enum FailureMode {
  /** It passes, and is not counted. */
  ALLOW,
  /** It is denied. */
  DENY,
  /** This server counts it, and keeps to its part of the limit. */
  LOCAL
}
