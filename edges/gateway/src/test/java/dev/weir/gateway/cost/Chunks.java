package dev.weir.gateway.cost;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Feeds texts to readers in chunks of random sizes. */
public final class Chunks {
  private Chunks() {}

  /** Gets the bytes between two offsets. */
  public interface Sink {
    void accept(byte[] bytes, int from, int to);
  }

  static void feed(String text, SplittableRandom random, int maxChunk, Sink sink) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int from = 0; from < bytes.length; ) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(maxChunk));
      // At another offset than in the whole, as in a buffer of the network.
      byte[] buffer = new byte[to - from + 3];
      System.arraycopy(bytes, from, buffer, 2, to - from);
      sink.accept(buffer, 2, 2 + to - from);
      from = to;
    }
  }
}
