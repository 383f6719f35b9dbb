package dev.weir.server.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where lines are written to. Used by one thread. */
interface LineTarget {
  /** What the lines are written to, for messages: a path, or {@code standard output}. */
  @Override
  String toString();

  /**
   * Writes whole lines. If that fails, the position of the buffer says how much was written.
   *
   * @throws IOException if not everything can be written
   */
  void write(ByteBuffer lines) throws IOException;

  /**
   * Ends writing.
   *
   * @throws IOException if that fails
   */
  void close() throws IOException;
}
