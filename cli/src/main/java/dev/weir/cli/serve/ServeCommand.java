package dev.weir.cli.serve;

import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.LogFileFlag;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.cli.terminal.Terminal;
import dev.weir.server.TrafficHandler;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code weir serve} command: runs the service until a signal stops it. */
@Command(
    name = "serve",
    description = "Runs the rate-limit service.",
    customSynopsis = "weir serve [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir serve                  # sample rules, counters in this process",
      "  weir serve --rules rules.yaml --host 0.0.0.0   # for other machines too",
      "  weir serve --store redis://127.0.0.1:6379   # counters shared by a fleet",
      "  curl -i http://127.0.0.1:8080/v1/check/hello"
    })
public final class ServeCommand extends ServiceCommand {
  @Option(
      names = "--train",
      hidden = true,
      description = "Load all classes that a server may need, and exit when it is ready.")
  private boolean train;

  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description =
          "Write a line for each decision, in the format of the log; - for standard output; none if"
              + " not given.")
  private @Nullable String accessLog;

  @Option(names = "--access-log-query", description = "Write the query strings of requests, too.")
  private boolean accessLogQuery;

  /** Creates the command. */
  public ServeCommand(Terminal out, Terminal err, Map<String, String> environment) {
    super(out, err, environment);
  }

  @Override
  protected RatelimitEnvironment ratelimit(Map<String, String> env) {
    return new RatelimitEnvironment(env);
  }

  @Override
  protected int defaultGrpcPort() {
    return ServerSettings.DEFAULT.grpc().port();
  }

  @Override
  protected TrafficHandler.@Nullable Factory traffic() {
    return null;
  }

  @Override
  protected String serviceName() {
    return "weir";
  }

  @Override
  protected TelemetrySettings telemetry(TelemetrySettings usual) throws Failure {
    return usual.withAccessLog(LogFileFlag.of("--access-log", accessLog), accessLogQuery);
  }

  @Override
  protected String hint(String url) {
    return "curl -i " + url + "/v1/check/hello";
  }

  @Override
  protected boolean isTraining() {
    return train;
  }
}
