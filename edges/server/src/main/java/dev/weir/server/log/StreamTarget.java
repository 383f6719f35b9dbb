package dev.weir.server.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * A stream that lines are written to, and that stays open. Writes of several threads take turns.
 */
final class StreamTarget implements LineTarget {
  /** Not {@code System.out}, which hides that nothing could be written. */
  static final StreamTarget STANDARD_OUTPUT =
      new StreamTarget("standard output", new FileOutputStream(FileDescriptor.out));

  private final String name;
  private final OutputStream out;

  StreamTarget(String name, OutputStream out) {
    this.name = name;
    this.out = out;
  }

  @Override
  public synchronized void write(ByteBuffer lines) throws IOException {
    out.write(lines.array(), lines.arrayOffset() + lines.position(), lines.remaining());
    out.flush();
    lines.position(lines.limit());
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return name;
  }
}
