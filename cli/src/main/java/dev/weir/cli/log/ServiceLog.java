package dev.weir.cli.log;

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
 * The log of the service, on standard error: each record is one line.
 *
 * <p>Netty, Vert.x, Lettuce and everything else in this process log through java.util.logging, so
 * its root logger decides for all of them.
 */
public final class ServiceLog {
  private static final java.util.logging.Logger ROOT = java.util.logging.Logger.getLogger("");

  /** Held here, for loggers are forgotten that nobody holds. */
  private static final java.util.logging.Logger OURS =
      java.util.logging.Logger.getLogger("dev.weir");

  private ServiceLog() {}

  /** Logs lines of text from now on; {@code printable} makes what comes from others harmless. */
  public static void text(LogLevel level, UnaryOperator<String> printable) {
    install(level, new TextFormatter(printable, level.showsTraces()));
  }

  /** Logs lines of JSON from now on; {@code quoted} makes text a JSON string. */
  public static void json(LogLevel level, UnaryOperator<String> quoted) {
    install(level, new JsonFormatter(quoted, level.showsTraces()));
  }

  /** Whether somebody has configured java.util.logging, and is not to be overruled. */
  public static boolean isConfigured() {
    return System.getProperty("java.util.logging.config.file") != null
        || System.getProperty("java.util.logging.config.class") != null;
  }

  /** Whether libraries, too, log all that they can. */
  public static boolean isTracing() {
    return ROOT.isLoggable(LogLevel.TRACE.asJul());
  }

  private static void install(LogLevel level, Formatter formatter) {
    ConsoleHandler console = new ConsoleHandler();
    try {
      console.setEncoding(StandardCharsets.UTF_8.name());
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException(e); // every Java has it
    }
    console.setLevel(Level.ALL);
    console.setFormatter(formatter);
    if (level != LogLevel.TRACE) {
      console.setFilter(new LibraryLines());
    }
    // All that formatting needs is loaded now: when the process has no file descriptors left, it is
    // too late, and just then somebody needs the log.
    LogEvent.samples().forEach(formatter::format);
    for (Handler other : ROOT.getHandlers()) {
      ROOT.removeHandler(other);
    }
    ROOT.addHandler(console);
    // Of libraries, debug lines are for those who debug libraries: a thousand at each start.
    boolean theirsToo = level == LogLevel.TRACE || level.compareTo(LogLevel.INFO) <= 0;
    ROOT.setLevel(theirsToo ? level.asJul() : Level.INFO);
    OURS.setLevel(level.asJul());
    Logger threads = System.getLogger(ServiceLog.class.getName());
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) ->
            threads.log(Logger.Level.ERROR, "Thread " + thread.getName() + " failed", error));
  }

  /** A stream of which each line becomes a record. */
  public static OutputStream lines(LogLevel level) {
    return new Lines(level);
  }

  private static final class Lines extends OutputStream {
    /** Held here, for loggers are forgotten that nobody holds. */
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
