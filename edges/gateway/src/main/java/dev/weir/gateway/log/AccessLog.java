package dev.weir.gateway.log;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes a line for each request, on a thread of its own. Safe for use by any number of threads.
 *
 * <p>Requests never wait for it: if lines come faster than they can be written, some are dropped
 * and counted.
 */
public final class AccessLog implements AutoCloseable {
  private static final Logger LOG = System.getLogger(AccessLog.class.getName());
  private static final int QUEUE = 8_192;
  private static final int BATCH = 1_024;
  private static final long MAX_CLOSE_MILLIS = 10_000;

  private final AccessFormat format;
  private final OutputStream out;
  private final BlockingQueue<AccessEntry> queue = new ArrayBlockingQueue<>(QUEUE);
  private final LongAdder dropped = new LongAdder();
  private final Thread writer = new Thread(this::write, "weir-access-log");
  private volatile boolean closed;

  /** Writes to a stream, and closes it in the end. */
  public AccessLog(AccessFormat format, OutputStream out) {
    this.format = format;
    this.out = out;
    writer.setDaemon(true);
    writer.start();
  }

  /**
   * Appends to a file, which is created if it does not exist.
   *
   * @throws IOException if it cannot be written
   */
  public static AccessLog file(AccessFormat format, Path file) throws IOException {
    return new AccessLog(
        format, Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  /** Writes to a stream that stays open. */
  public static AccessLog stream(AccessFormat format, PrintStream stream) {
    return new AccessLog(
        format,
        new OutputStream() {
          @Override
          public void write(int one) {
            stream.write(one);
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            stream.write(bytes, from, length);
          }

          @Override
          public void flush() {
            stream.flush();
          }
        });
  }

  /** Adds a line. */
  public void add(AccessEntry entry) {
    if (!queue.offer(entry)) {
      dropped.increment();
    }
  }

  /** The lines that were dropped. */
  public long dropped() {
    return dropped.sum();
  }

  private void write() {
    List<AccessEntry> batch = new ArrayList<>(BATCH);
    boolean failed = false;
    try {
      while (!closed || !queue.isEmpty()) {
        AccessEntry first = queue.poll(100, java.util.concurrent.TimeUnit.MILLISECONDS);
        if (first == null) {
          continue;
        }
        batch.add(first);
        queue.drainTo(batch, BATCH - 1);
        failed = writeBatch(batch, failed);
        batch.clear();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether writing fails; only the first of several failures is reported. */
  private boolean writeBatch(List<AccessEntry> batch, boolean failedBefore) {
    StringBuilder lines = new StringBuilder(batch.size() * 256);
    batch.forEach(entry -> lines.append(format.line(entry)).append('\n'));
    try {
      out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
      out.flush();
      return false;
    } catch (IOException e) {
      dropped.add(batch.size());
      if (!failedBefore) {
        LOG.log(Level.ERROR, "Cannot write the access log: " + e.getMessage());
      }
      return true;
    }
  }

  /** Writes what is queued, and closes the stream. */
  @Override
  public void close() {
    closed = true;
    try {
      writer.join(MAX_CLOSE_MILLIS);
      out.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Cannot close the access log: " + e.getMessage());
    }
  }
}
