package dev.weir.cli;

import dev.weir.cli.log.LogLevel;
import dev.weir.cli.log.ServiceLog;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the service logs: by flags, then by variables of envoyproxy/ratelimit. */
final class LogOptions {
  private static final String JSON = "json";
  private static final List<String> FORMATS = List.of("text", JSON);

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      completionCandidates = Formats.class,
      description = "Lines of the log on standard error: text or json; text.")
  private @Nullable String format;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      completionCandidates = Levels.class,
      description = "How much is logged: error, warn, info, debug or trace; info.")
  private @Nullable String level;

  private boolean json;

  /** What completion offers. */
  static final class Formats extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Formats() {
      super(FORMATS);
    }
  }

  /** What completion offers. */
  static final class Levels extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Levels() {
      super(LogLevel.names());
    }
  }

  /**
   * Logs like this from now on. A configuration of java.util.logging that somebody has given stays,
   * unless a flag says otherwise.
   *
   * @throws IllegalArgumentException with what makes no sense
   */
  void install(RatelimitEnvironment ratelimit) {
    String chosen = format == null ? ratelimit.text("LOG_FORMAT").orElse("") : format;
    json =
        format == null
            ? chosen.toLowerCase(Locale.ROOT).equals(JSON)
            : Flag.word("--log-format", chosen, FORMATS).equals(JSON);
    LogLevel least = level == null ? ratelimit.logLevel() : level("--log-level", level);
    if (format == null && level == null && ServiceLog.isConfigured()) {
      return;
    }
    if (json) {
      ServiceLog.json(least, Json::quoted);
    } else {
      ServiceLog.text(least, Printable::of);
    }
  }

  private static LogLevel level(String flag, String name) {
    return LogLevel.named(name)
        .orElseThrow(() -> Flag.refused(flag, name, Flag.oneOf(LogLevel.names())));
  }

  /** Where to write what is to be read there as it is; with {@code json}, the log itself. */
  Terminal orLog(Terminal plain, LogLevel as) {
    return json ? log(as) : plain;
  }

  /** A terminal of which each line is logged. */
  Terminal log(LogLevel as) {
    PrintStream stream = new PrintStream(ServiceLog.lines(as), false, StandardCharsets.UTF_8);
    return new Terminal(stream, false);
  }
}
