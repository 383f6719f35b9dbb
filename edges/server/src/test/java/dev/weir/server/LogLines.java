package dev.weir.server;

import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the lines of a logger, as operators see them. */
public final class LogLines extends Handler implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);

  public final List<String> lines = new CopyOnWriteArrayList<>();

  /** Whether logging throws. */
  public volatile boolean fails;

  private final Logger log;

  public LogLines(Class<?> of) {
    this(of.getName());
  }

  public LogLines(String logger) {
    log = Logger.getLogger(logger);
    log.addHandler(this);
  }

  /** Waits for lines, which are logged asynchronously. */
  public void await(int count) {
    Await.until(count + " lines", LONG, () -> lines.size() >= count);
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(line.getLevel() + " " + line.getMessage());
    if (fails) {
      throw new IllegalStateException("disk full");
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    log.removeHandler(this);
  }
}
