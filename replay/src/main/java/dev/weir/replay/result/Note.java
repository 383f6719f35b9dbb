package dev.weir.replay.result;

/**
 * What could not be replayed as it would have been, or what was assumed.
 *
 * @param severity how much it matters
 * @param rule the name of the rule that it is about; empty if it is about all
 * @param text one sentence
 */
public record Note(Severity severity, String rule, String text) {
  /** How much a note matters. */
  public enum Severity {
    /** The rule was not replayed, or never matched: its numbers say nothing. */
    NOT_REPLAYED,
    /** Something was assumed. */
    ASSUMED
  }
}
