package dev.weir.replay.log.input;

import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes of a file as it is, and names it if it cannot be read. For one thread. */
final class CountingInput extends InputStream {
  private final String name;
  private final InputStream in;
  private long bytes;
  private int ahead = -1;
  private boolean ended;
  private boolean failed;

  CountingInput(String name, InputStream in) {
    this.name = name;
    this.in = in;
  }

  long bytes() {
    return bytes;
  }

  /** Whether the file itself could not be read, so that it is not its content that is wrong. */
  boolean isFailed() {
    return failed;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (ahead >= 0) {
      target[offset] = (byte) ahead;
      ahead = -1;
      bytes++;
      return 1;
    }
    int count = ended ? -1 : readFully(target, offset, length);
    ended = count < 0;
    bytes += Math.max(0, count);
    return count;
  }

  private int readFully(byte[] target, int offset, int length) throws IOException {
    try {
      return in.read(target, offset, length);
    } catch (IOException e) {
      failed = true;
      throw new IOException(name + ": " + e.getMessage() + " (expected: a readable file)", e);
    }
  }

  /**
   * Whether there is more. The decompressor looks for another member only if there is, and pipes
   * say 0 while there may well be.
   */
  @Override
  public int available() throws IOException {
    if (ahead < 0 && !ended) {
      byte[] one = new byte[1];
      ended = readFully(one, 0, 1) <= 0;
      ahead = ended ? -1 : one[0] & 0xFF;
    }
    return ahead >= 0 ? 1 : 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
