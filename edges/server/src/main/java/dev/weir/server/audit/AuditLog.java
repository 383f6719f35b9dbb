package dev.weir.server.audit;

import dev.weir.server.access.Operator;
import dev.weir.server.log.LogBudget;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Records who did what on the administration port: a line of JSON for each event. Thread-safe.
 *
 * <p><b>No record, no action.</b> An action is recorded first, and done only if the record
 * succeeds; the caller gets an error otherwise. So every action is in the log, and a line may be
 * there for an action that failed afterwards.
 *
 * <p><b>How.</b> A thread of its own writes the lines, so that no event loop waits for a disk. Its
 * queue is bounded, and so is the time that a caller waits for a disk that hangs.
 */
public final class AuditLog implements AutoCloseable {
  /** The logger of the lines, if they go to the service's log. */
  public static final String LOGGER = "dev.weir.audit";

  private static final Logger LOG = System.getLogger(AuditLog.class.getName());
  private static final int MAX_QUEUED = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MAX_CLOSE_SECONDS = 10;
  private static final int IDLE_SECONDS = 10;

  private final AuditSink sink;
  private final InstantSource clock;
  private final Duration patience;
  private final LogBudget failureLines = new LogBudget(2);
  private final ThreadPoolExecutor writer;

  /**
   * A log that writes to a sink.
   *
   * @param clock for the times of the lines
   * @param patience how long a caller waits for its line to be written
   */
  AuditLog(AuditSink sink, InstantSource clock, Duration patience) {
    this.sink = sink;
    this.clock = clock;
    this.patience = patience;
    this.writer =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_QUEUED),
            AuditLog::thread);
    writer.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-audit-log");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Appends to a file. If it does not exist, it is created, readable only by its owner.
   *
   * @param clock for the times of the lines
   * @throws IllegalArgumentException if the file cannot be written
   */
  public static AuditLog toFile(Path file, InstantSource clock) {
    try {
      return new AuditLog(new AuditFile(file), clock, PATIENCE);
    } catch (IOException e) {
      String reason = AuditFile.reason(file, e);
      throw new IllegalArgumentException(
          "audit log: " + file + ", " + reason + " (expected: a file that can be written)", e);
    }
  }

  /**
   * Writes to the service's log, at level INFO of the logger {@link #LOGGER}.
   *
   * @param clock for the times of the lines
   */
  public static AuditLog toServiceLog(InstantSource clock) {
    Logger log = System.getLogger(LOGGER);
    return new AuditLog(line -> log.log(Level.INFO, line), clock, PATIENCE);
  }

  /**
   * Records an event, before what it is about is done.
   *
   * @param event what is done, in a word such as {@code reset}
   * @param details what it is done to; of bounded size, and without secrets
   * @return completes once the line is written; fails with {@link AuditUnavailable} if it is not,
   *     and then the event must not happen. Completes on a thread of this log, which must not be
   *     held up
   */
  public CompletionStage<Void> record(Operator who, String event, JsonObject details) {
    return append(AuditLine.of(clock.instant(), who, event, details));
  }

  /**
   * Records what somebody did who could not be authenticated, if that is possible.
   *
   * @param address of the client
   */
  public void recordUnknown(String address, String event, JsonObject details) {
    var unused = append(AuditLine.ofUnknown(clock.instant(), address, event, details));
  }

  private CompletionStage<Void> append(String line) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    try {
      writer.execute(() -> write(line, written));
    } catch (RejectedExecutionException e) {
      fail(written, writer.isShutdown() ? "the server stops" : "too many lines are waiting");
      return written;
    }
    CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> fail(written, "it takes longer than " + patience.toMillis() + " ms"));
    return written;
  }

  private void write(String line, CompletableFuture<Void> written) {
    if (written.isDone()) {
      return; // the caller has waited for too long, and does nothing
    }
    try {
      sink.write(line);
      written.complete(null);
    } catch (IOException | RuntimeException e) {
      fail(written, String.valueOf(e.getMessage()));
    }
  }

  private void fail(CompletableFuture<Void> written, String reason) {
    AuditUnavailable failure = new AuditUnavailable(reason);
    if (written.completeExceptionally(failure) && failureLines.take().isPresent()) {
      LOG.log(Level.ERROR, "Cannot write the audit log, and refuse actions: " + reason);
    }
  }

  /** Writes what is queued, and closes the file; events are refused from now on. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      if (!writer.awaitTermination(MAX_CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.log(Level.ERROR, "Lines of the audit log are not written: the disk does not answer");
      }
      sink.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Cannot close the audit log: " + e.getMessage());
    }
  }
}
