package dev.weir.cli.replay;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.log.format.LogFormats;
import dev.weir.replay.log.read.AccessLogs;
import dev.weir.replay.log.read.ReadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options for access logs. */
public final class AccessLogOptions {
  @Parameters(
      arity = "1..*",
      paramLabel = "LOG",
      description =
          "Access logs, which may be compressed by gzip or zstd; - is standard input. Several are"
              + " merged by time.")
  private List<Path> files = List.of();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = {
        "Format of the logs: auto (default), nginx, apache, combined, common, envoy, envoy-json,"
            + " alb, cloudfront, iis, w3c, json, weir or weir-json."
      })
  private String format = "auto";

  @Option(
      names = "--log-format",
      paramLabel = "TEXT",
      description = "Format as the server describes it, with --format nginx, apache or envoy.")
  private @Nullable String logFormat;

  @Option(
      names = "--field",
      paramLabel = "MEANING=NAME",
      description = "Member of JSON objects that has a meaning, such as client=request.ip.")
  private Map<String, String> fields = new LinkedHashMap<>();

  /** The names of the logs, for reports. */
  public List<String> names() {
    return files.stream().map(Input::name).toList();
  }

  /** Whether one of the logs is standard input, which can be read once only. */
  public boolean hasStandardInput() {
    return files.stream().map(Path::toString).anyMatch(Input.STANDARD::equals);
  }

  /**
   * How the logs are read.
   *
   * @throws IllegalArgumentException if a flag has a wrong value
   */
  public ReadOptions read() {
    if (files.stream().map(Path::toString).filter(Input.STANDARD::equals).count() > 1) {
      throw Flag.invalid("LOG", "- twice", "standard input once");
    }
    return ReadOptions.defaults()
        .withFormat(LogFormats.of(format, logFormat, fields))
        .withoutFields();
  }

  /**
   * Opens the logs.
   *
   * @throws Failure if one cannot be read, or its format is not known
   */
  public LogSource open(ReadOptions options) throws Failure {
    try {
      return AccessLogs.open(files, options);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** The failure for a log that cannot be read further. */
  public Failure unreadable(IOException e) {
    String message =
        files.size() == 1 ? Input.unreadable(files.get(0), e) : String.valueOf(e.getMessage());
    return new Failure(ExitCode.USAGE, message);
  }
}
