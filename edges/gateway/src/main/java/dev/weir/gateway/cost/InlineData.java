package dev.weir.gateway.cost;

import java.nio.charset.StandardCharsets;

/**
 * Finds images and other data that a body has inside of texts, as Base64: their bytes say nothing
 * about their tokens. Not thread-safe.
 */
final class InlineData {
  /** Shorter texts count as text. */
  private static final int MIN_BYTES = 4_096;

  /** How many bytes decide what a text is. */
  private static final int SAMPLE_BYTES = 256;

  /** What a piece of data counts as: about what a large image costs. */
  private static final int TOKENS_EACH = 1_600;

  private static final byte[] DATA_URL = "data:".getBytes(StandardCharsets.US_ASCII);

  private final byte[] body;
  private int textStart = -1;
  private long promptBytes;

  InlineData(byte[] body) {
    this.body = body;
    this.promptBytes = body.length;
  }

  /** Whether the end of a text is awaited. */
  boolean isTextOpen() {
    return textStart >= 0;
  }

  /** The next token begins at {@code offset}; the text before it, if there was one, has ended. */
  void onToken(int offset, boolean text) {
    if (textStart >= 0 && offset - textStart >= MIN_BYTES && isData(textStart + 1)) {
      promptBytes -= offset - textStart - (long) TOKENS_EACH * Usage.BYTES_PER_TOKEN;
    }
    textStart = text ? offset : -1;
  }

  private boolean isData(int from) {
    int i = from;
    boolean url = true;
    for (int j = 0; j < DATA_URL.length; j++) {
      url &= body[from + j] == DATA_URL[j];
    }
    while (url && i < from + SAMPLE_BYTES && body[i] != ',') {
      i++;
    }
    for (i += url ? 1 : 0; i < from + SAMPLE_BYTES; i++) {
      byte next = body[i];
      boolean letter = (next >= 'A' && next <= 'Z') || (next >= 'a' && next <= 'z');
      boolean other = (next >= '0' && next <= '9') || next == '+' || next == '/' || next == '=';
      if (!letter && !other) {
        return false;
      }
    }
    return true;
  }

  /** The bytes of the body, with each piece of data counted as its usual tokens. */
  long promptBytes() {
    return Math.max(0, promptBytes);
  }
}
