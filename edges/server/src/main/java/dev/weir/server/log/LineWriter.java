package dev.weir.server.log;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Writes a line for each entry, on a thread of its own. Safe for use by any number of threads.
 *
 * <p><b>Guarantees.</b> Whoever adds an entry never waits, neither for the disk nor for the text of
 * the line, which the writing thread makes. Entries that come faster than they can be written are
 * dropped and counted, and so are lines that could not be written. A line is written whole or not
 * at all; if a full disk cut one, the next begins on a line of its own. A file that was renamed or
 * removed is created again.
 *
 * @param <T> what an entry is; it is kept until it is written, so it should be small
 */
public final class LineWriter<T> implements AutoCloseable {
  private static final Logger LOG = System.getLogger(LineWriter.class.getName());

  /** Entries that wait to be written. */
  static final int QUEUE = 8_192;

  private static final int BATCH = 1_024;
  private static final long POLL_MILLIS = 100;
  private static final long MAX_CLOSE_MILLIS = 3_000;
  private static final String STANDARD_OUTPUT = "-";

  private final String name;
  private final LineTarget target;
  private final Function<T, String> format;
  private final BlockingQueue<T> queue = new ArrayBlockingQueue<>(QUEUE);
  private final LongAdder dropped = new LongAdder();
  private final Thread writer;
  private boolean failing;
  private boolean cut;
  private long lost;
  private volatile boolean closed;

  LineWriter(String name, LineTarget target, Function<T, String> format) {
    this.name = name;
    this.target = target;
    this.format = format;
    this.writer = new Thread(this::run, "weir-" + name.replace(' ', '-'));
    writer.setDaemon(true);
    writer.start();
  }

  /**
   * Starts to write to a file, which is appended to, or created if it does not exist.
   *
   * @param name of the log, in plain words
   * @param file a path; {@code -} for standard output
   * @param format makes the text of a line, without its end; called by the writing thread
   * @throws IOException if the file cannot be written
   */
  public static <T> LineWriter<T> open(String name, String file, Function<T, String> format)
      throws IOException {
    return new LineWriter<>(
        name,
        file.equals(STANDARD_OUTPUT) ? StreamTarget.STANDARD_OUTPUT : LogFile.open(file),
        format);
  }

  /** Starts to write to a stream, which stays open. */
  public static <T> LineWriter<T> to(OutputStream stream, String name, Function<T, String> format) {
    return new LineWriter<>(name, new StreamTarget(name, stream), format);
  }

  /** Adds a line, or drops it if too many wait already. */
  public void add(T entry) {
    if (closed || !queue.offer(entry)) {
      dropped.increment();
    }
  }

  /** The lines that were not written. */
  public long dropped() {
    return dropped.sum();
  }

  private void run() {
    List<T> batch = new ArrayList<>(BATCH);
    try {
      while (!closed || !queue.isEmpty()) {
        T first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          queue.drainTo(batch, BATCH - 1);
          write(batch);
          batch.clear();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(List<T> batch) {
    ByteBuffer bytes = ByteBuffer.wrap(text(batch).getBytes(StandardCharsets.UTF_8));
    try {
      target.write(bytes);
      onWritten();
    } catch (IOException e) {
      onFailure(bytes, e);
    }
  }

  private String text(List<T> batch) {
    StringBuilder lines = new StringBuilder(batch.size() * 256);
    if (cut) {
      lines.append('\n');
    }
    for (T entry : batch) {
      try {
        lines.append(format.apply(entry)).append('\n');
      } catch (RuntimeException e) {
        dropped.increment();
        Failures.log(LOG, "Cannot make a line of the " + name, e);
      }
    }
    return lines.toString();
  }

  private void onWritten() {
    cut = false;
    if (failing) {
      failing = false;
      LOG.log(Level.INFO, "The " + name + " is written again; lines lost: " + lost);
      lost = 0;
    }
  }

  /** Reports the first of several failures, and counts the lines that are not there as a whole. */
  private void onFailure(ByteBuffer bytes, IOException failure) {
    int firstLine = cut ? 1 : 0;
    if (bytes.position() > 0) {
      cut = bytes.get(bytes.position() - 1) != '\n';
    }
    long missing = 0;
    for (int i = Math.max(firstLine, bytes.position()); i < bytes.limit(); i++) {
      missing += bytes.get(i) == '\n' ? 1 : 0;
    }
    dropped.add(missing);
    lost += missing;
    if (!failing) {
      failing = true;
      LOG.log(
          Level.ERROR,
          "Cannot write the " + name + " to " + target + ", its lines are lost: " + failure);
    }
  }

  /** Writes what waits, for three seconds at most, and closes the file. */
  @Override
  public void close() {
    closed = true;
    try {
      writer.join(MAX_CLOSE_MILLIS);
      if (writer.isAlive()) {
        LOG.log(Level.WARNING, "The " + name + " is incomplete: " + target + " does not take it");
        return; // to close it would wait for the same
      }
      target.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Cannot close the " + name + ": " + e);
    }
  }
}
