package dev.weir.cli.log;

import dev.weir.server.audit.AuditLog;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.UnsupportedEncodingException;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;

/**
 * Configures the log of the service: one line per record on standard error.
 *
 * <p>Netty, Vert.x, Lettuce and all other libraries in this process log through java.util.logging,
 * so the settings of its root logger apply to all of them.
 */
public final class ServiceLog {
  private static final java.util.logging.Logger ROOT = java.util.logging.Logger.getLogger("");

  /** A strong reference, because java.util.logging drops loggers that are not referenced. */
  private static final java.util.logging.Logger OWN =
      java.util.logging.Logger.getLogger("dev.weir");

  /** The audit log, if it has no file of its own. A strong reference, too. */
  private static final java.util.logging.Logger AUDIT =
      java.util.logging.Logger.getLogger(AuditLog.LOGGER);

  private ServiceLog() {}

  /** Logs lines of text from now on; {@code escape} escapes untrusted text for a terminal. */
  public static void text(LogLevel level, UnaryOperator<String> escape) {
    install(level, new TextFormatter(escape, level.showsTraces()));
  }

  /** Logs lines of JSON from now on; {@code quote} converts text to a JSON string. */
  public static void json(LogLevel level, UnaryOperator<String> quote) {
    install(level, new JsonFormatter(quote, level.showsTraces()));
  }

  /** Whether java.util.logging is configured already, by its system properties. */
  public static boolean isConfigured() {
    return System.getProperty("java.util.logging.config.file") != null
        || System.getProperty("java.util.logging.config.class") != null;
  }

  /** Whether libraries log at trace level, too. */
  public static boolean isTracing() {
    return ROOT.isLoggable(LogLevel.TRACE.asJul());
  }

  private static void install(LogLevel level, Formatter formatter) {
    ConsoleHandler console = new ConsoleHandler();
    try {
      console.setEncoding(StandardCharsets.UTF_8.name());
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException(e); // every Java has UTF-8
    }
    console.setLevel(Level.ALL);
    console.setFormatter(formatter);
    if (level != LogLevel.TRACE) {
      console.setFilter(new LibraryLogFilter());
    }
    // Loads all classes that formatting needs now: they cannot be loaded once the process has run
    // out of file descriptors, which is when the log is needed most.
    LogEvent.samples().forEach(formatter::format);
    for (Handler other : ROOT.getHandlers()) {
      ROOT.removeHandler(other);
    }
    ROOT.addHandler(console);
    // Libraries log debug lines only with TRACE: they write a thousand of them at each start.
    boolean sameForLibraries = level == LogLevel.TRACE || level.compareTo(LogLevel.INFO) <= 0;
    ROOT.setLevel(sameForLibraries ? level.asJul() : Level.INFO);
    OWN.setLevel(level.asJul());
    AUDIT.setLevel(Level.INFO); // what operators do is recorded at every level of the log
    Logger threads = System.getLogger(ServiceLog.class.getName());
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) ->
            threads.log(Logger.Level.ERROR, "Thread " + thread.getName() + " failed", error));
  }

  /** A stream that logs each line as a record. Thread-safe. */
  public static OutputStream lines(LogLevel level) {
    return new Lines(level);
  }

  private static final class Lines extends OutputStream {
    /** A strong reference, because java.util.logging drops loggers that are not referenced. */
    private final java.util.logging.Logger log = java.util.logging.Logger.getLogger("dev.weir.cli");

    private final LogLevel level;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Lines(LogLevel level) {
      this.level = level;
    }

    @Override
    public synchronized void write(int next) {
      if (next == '\n') {
        log.log(level.asJul(), line.toString(StandardCharsets.UTF_8));
        line.reset();
      } else {
        line.write(next);
      }
    }
  }
}
