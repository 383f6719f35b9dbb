package dev.weir.server;

import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs from now on, as operators read it. */
final class LogLines extends Handler implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);

  final List<String> lines = new CopyOnWriteArrayList<>();

  /** Whether to throw something at whoever logs. */
  volatile boolean fails;

  private final Logger log;

  LogLines(Class<?> of) {
    log = Logger.getLogger(of.getName());
    log.addHandler(this);
  }

  /** What is logged comes a moment later. */
  void await(int count) {
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
