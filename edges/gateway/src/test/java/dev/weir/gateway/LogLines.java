package dev.weir.gateway;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the log lines of a class, as operators see them. */
final class LogLines extends Handler implements AutoCloseable {
  final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger log;

  LogLines(Class<?> of) {
    log = Logger.getLogger(of.getName());
    log.addHandler(this);
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(MessageFormat.format(line.getMessage(), line.getParameters()));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    log.removeHandler(this);
  }
}
