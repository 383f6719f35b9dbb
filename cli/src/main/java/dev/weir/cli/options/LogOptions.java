package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.cli.log.LogLevel;
import dev.weir.cli.log.ServiceLog;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.cli.terminal.Json;
import dev.weir.cli.terminal.Printable;
import dev.weir.cli.terminal.Terminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the log: flags come first, then variables of envoyproxy/ratelimit. */
public final class LogOptions {
  private static final String JSON = "json";
  private static final List<String> FORMATS = List.of("text", JSON);

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      completionCandidates = Formats.class,
      description = "Format of the log on standard error: text or json; text.")
  private @Nullable String format;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      completionCandidates = Levels.class,
      description = "Level of the log: error, warn, info, debug or trace; info.")
  private @Nullable String level;

  private boolean json;

  /** The candidates of shell completion. */
  static final class Formats extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Formats() {
      super(FORMATS);
    }
  }

  /** The candidates of shell completion. */
  static final class Levels extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Levels() {
      super(LogLevel.names());
    }
  }

  /**
   * Configures the log of this process. An existing configuration of java.util.logging stays in
   * effect unless a flag is given.
   *
   * @throws IllegalArgumentException if a flag has an invalid value
   */
  public void install(RatelimitEnvironment ratelimit) {
    String chosen = format == null ? ratelimit.text("LOG_FORMAT").orElse("") : format;
    json =
        format == null
            ? chosen.toLowerCase(Locale.ROOT).equals(JSON)
            : Flag.choice("--log-format", chosen, FORMATS).equals(JSON);
    LogLevel threshold = level == null ? ratelimit.logLevel() : level("--log-level", level);
    if (format == null && level == null && ServiceLog.isConfigured()) {
      return;
    }
    if (json) {
      ServiceLog.json(threshold, Json::quoted);
    } else {
      ServiceLog.text(threshold, Printable::of);
    }
  }

  private static LogLevel level(String flag, String name) {
    return LogLevel.named(name)
        .orElseThrow(() -> Flag.invalid(flag, name, Flag.oneOf(LogLevel.names())));
  }

  /** Whether the format is JSON; known once the log is installed. */
  public boolean isJson() {
    return json;
  }

  /** The log at a level if its format is JSON, so that all output is JSON; else the terminal. */
  public Terminal jsonLogOr(Terminal terminal, LogLevel level) {
    return json ? log(level) : terminal;
  }

  /** A terminal that logs each line at a level. */
  public Terminal log(LogLevel level) {
    PrintStream stream = new PrintStream(ServiceLog.lines(level), false, StandardCharsets.UTF_8);
    return new Terminal(stream, false);
  }
}
