package dev.weir.replay.log.input;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Recognizes compressed files by their first bytes, whatever they are called. */
final class Decompression {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int HEAD_BYTES = 6;

  private Decompression() {}

  /** The text of a file. */
  static InputStream of(String name, CountingInput raw) throws IOException {
    byte[] head = raw.readNBytes(HEAD_BYTES);
    InputStream all = new Rejoined(head, raw);
    String hex = java.util.HexFormat.of().formatHex(head);
    if (hex.startsWith("1f8b")) {
      return new GZIPInputStream(all, BUFFER_BYTES);
    }
    if (hex.startsWith("28b52ffd") || hex.matches("5[0-9a-f]2a4d18.*")) {
      return new Zstd(all, raw);
    }
    refuse(name, hex, "425a68", "bzip2", "bzip2 -dc");
    refuse(name, hex, "fd377a585a00", "xz", "xz -dc");
    refuse(name, hex, "504b0304", "zip", "unzip -p");
    refuse(name, hex, "04224d18", "lz4", "lz4 -dc");
    refuse(name, hex, "fffe", "UTF-16", "iconv -f UTF-16 -t UTF-8");
    refuse(name, hex, "feff", "UTF-16", "iconv -f UTF-16 -t UTF-8");
    return all;
  }

  private static void refuse(String name, String hex, String magic, String what, String command)
      throws IOException {
    if (hex.startsWith(magic)) {
      throw new IOException(
          name
              + ": "
              + what
              + " (expected: text, gzip or zstd; try: "
              + (command + " " + name)
              + " | weir replay -)");
    }
  }

  /** The bytes that were looked at, and the rest; says whether there is more. */
  private static final class Rejoined extends SequenceInputStream {
    private final ByteArrayInputStream head;
    private final CountingInput rest;

    Rejoined(byte[] head, CountingInput rest) {
      this(new ByteArrayInputStream(head), rest);
    }

    private Rejoined(ByteArrayInputStream head, CountingInput rest) {
      super(head, rest);
      this.head = head;
      this.rest = rest;
    }

    @Override
    public int available() throws IOException {
      return head.available() > 0 ? head.available() : rest.available();
    }
  }

  /**
   * Its library throws what says nothing about files, and then keeps what it has decompressed in
   * the same call; short calls lose little.
   */
  private static final class Zstd extends FilterInputStream {
    private static final int MAX_READ = 4 << 10;

    private final CountingInput raw;

    Zstd(InputStream in, CountingInput raw) {
      super(new ZstdInputStream(in));
      this.raw = raw;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      try {
        return super.read(target, offset, Math.min(length, MAX_READ));
      } catch (IOException | RuntimeException e) {
        if (raw.isFailed()) {
          throw e;
        }
        ZipException damage = new ZipException(String.valueOf(e.getMessage()));
        damage.initCause(e);
        throw damage;
      }
    }
  }
}
