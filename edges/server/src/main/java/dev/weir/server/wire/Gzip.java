package dev.weir.server.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Decompresses gzip messages, bounded against decompression bombs. */
public final class Gzip {
  private Gzip() {}

  /**
   * Decompresses a message; empty if the result would be larger than {@code maxBytes}.
   *
   * @throws IOException if the message is not valid gzip
   */
  public static Optional<byte[]> decompress(byte[] compressed, int maxBytes) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      byte[] bytes = in.readNBytes(maxBytes + 1);
      return bytes.length > maxBytes ? Optional.empty() : Optional.of(bytes);
    }
  }
}
