package dev.weir.gateway.log;

import dev.weir.server.log.LineWriter;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a line for each request, on a thread of its own. Safe for use by any number of threads;
 * requests never wait for it. See {@link LineWriter}.
 */
public final class AccessLog implements AutoCloseable {
  private static final String NAME = "access log";

  private final LineWriter<AccessEntry> writer;
  private final boolean anonymous;

  private AccessLog(LineWriter<AccessEntry> writer, boolean anonymous) {
    this.writer = writer;
    this.anonymous = anonymous;
  }

  /**
   * Appends to a file, which is created if it does not exist.
   *
   * @param file a path; {@code -} for standard output
   * @param anonymous whether lines leave out what may say who a client is
   * @throws IOException if the file cannot be written
   */
  public static AccessLog open(AccessFormat format, String file, boolean anonymous)
      throws IOException {
    return new AccessLog(LineWriter.open(NAME, file, format::line), anonymous);
  }

  /** Writes to a stream that stays open. */
  public static AccessLog to(OutputStream stream, AccessFormat format, boolean anonymous) {
    return new AccessLog(LineWriter.to(stream, NAME, format::line), anonymous);
  }

  /** Adds a line. */
  public void add(AccessEntry entry) {
    writer.add(anonymous ? entry.anonymous() : entry);
  }

  /** The lines that were dropped. */
  public long dropped() {
    return writer.dropped();
  }

  /** Writes what is queued, for three seconds at most, and closes the file. */
  @Override
  public void close() {
    writer.close();
  }
}
