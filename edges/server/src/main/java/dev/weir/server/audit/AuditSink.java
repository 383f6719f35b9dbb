package dev.weir.server.audit;

import java.io.IOException;

/** Where the lines of an audit log go. Used by one thread at a time. */
interface AuditSink {
  /**
   * Writes a line, and returns once it is kept.
   *
   * @param line without its end
   * @throws IOException if it is not kept
   */
  void write(String line) throws IOException;

  /** Writes no more lines. */
  default void close() throws IOException {}
}
