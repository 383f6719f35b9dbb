package dev.weir.gateway.cost;

/**
 * The tokens of one request to a language model, known or estimated. Immutable.
 *
 * @param inputTokens of the prompt, those from a cache included
 * @param outputTokens of the answer, those of its reasoning included
 */
public record Usage(long inputTokens, long outputTokens) {
  /** No tokens. */
  public static final Usage NONE = new Usage(0, 0);

  /** The highest number of tokens that is believed; higher numbers count as this one. */
  static final long MAX_TOKENS = 1_000_000_000_000L;

  /** How many bytes of text make a token, where nothing else is known. */
  static final int BYTES_PER_TOKEN = 4;

  /** Bounds both numbers. */
  public Usage {
    inputTokens = bounded(inputTokens);
    outputTokens = bounded(outputTokens);
  }

  /** The tokens that this many bytes of text make, rounded up. */
  static long tokens(long bytes) {
    return bytes / BYTES_PER_TOKEN + (bytes % BYTES_PER_TOKEN == 0 ? 0 : 1);
  }

  private static long bounded(long tokens) {
    return Math.min(Math.max(0, tokens), MAX_TOKENS);
  }
}
