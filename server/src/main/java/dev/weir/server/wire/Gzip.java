package dev.weir.server.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Unfolds what came folded: a small message may unfold to any size, but not here. */
public final class Gzip {
  private Gzip() {}

  /**
   * The message, or nothing if it is larger than {@code most} bytes.
   *
   * @throws IOException if it is not what gzip makes
   */
  public static Optional<byte[]> unfold(byte[] folded, int most) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(folded))) {
      byte[] bytes = in.readNBytes(most + 1);
      return bytes.length > most ? Optional.empty() : Optional.of(bytes);
    }
  }
}
