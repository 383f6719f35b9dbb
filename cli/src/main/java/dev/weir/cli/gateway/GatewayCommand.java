package dev.weir.cli.gateway;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.LogFileFlag;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.cli.serve.ServiceCommand;
import dev.weir.cli.terminal.Terminal;
import dev.weir.gateway.GatewayEdge;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.log.AccessFormat;
import dev.weir.gateway.log.AccessLog;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.gateway.ServerAddress;
import dev.weir.rules.gateway.UpstreamSettings;
import dev.weir.server.TrafficHandler;
import dev.weir.server.settings.ServerSettings;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code weir gateway} command: runs a reverse proxy that limits, until a signal stops it. */
@Command(
    name = "gateway",
    description = "Runs a reverse proxy that limits requests to the service behind it.",
    customSynopsis = "weir gateway --upstream URL [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir gateway --upstream http://127.0.0.1:9000   # sample rules",
      "  weir gateway --upstream http://127.0.0.1:9000 --rules rules.yaml --host 0.0.0.0",
      "  weir gateway --rules rules.yaml   # upstreams and routes in the rules file"
    })
public final class GatewayCommand extends ServiceCommand {
  private static final String UPSTREAM = "upstream";

  @Option(
      names = "--upstream",
      paramLabel = "URL",
      description = "Server behind the gateway; repeat it for several, which take turns.")
  private @Nullable List<String> upstream;

  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description = "Write a line for each request; - for standard output; none if not given.")
  private @Nullable String accessLog;

  @Option(
      names = "--access-log-format",
      paramLabel = "FORMAT",
      description = "Format of these lines: json or common; json.")
  private String accessLogFormat = "json";

  @Option(
      names = "--access-log-anonymous",
      description = "Leave out of these lines the client's address, queries, Referer, User-Agent.")
  private boolean accessLogAnonymous;

  /** Creates the command. */
  public GatewayCommand(Terminal out, Terminal err, Map<String, String> environment) {
    super(out, err, environment);
  }

  @Override
  protected RatelimitEnvironment ratelimit(Map<String, String> env) {
    return new RatelimitEnvironment(Map.of());
  }

  @Override
  protected int defaultGrpcPort() {
    return ServerSettings.OFF;
  }

  @Override
  protected TrafficHandler.Factory traffic() throws Failure {
    return GatewayEdge.factory(new GatewayOptions(upstreamSettings(), openLog()));
  }

  @Override
  protected RulesLoader loader(RulesLoader usual) {
    return usual.forGateway(upstream == null);
  }

  @Override
  protected String serviceName() {
    return "weir-gateway";
  }

  @Override
  protected String hint(String url) {
    return "curl -i " + url + "/";
  }

  private Optional<UpstreamSettings> upstreamSettings() {
    if (upstream == null) {
      return Optional.empty();
    }
    List<ServerAddress> servers = upstream.stream().map(GatewayCommand::server).toList();
    try {
      return Optional.of(UpstreamSettings.of(UPSTREAM, servers));
    } catch (IllegalArgumentException e) {
      throw Flag.renamed("--upstream", e);
    }
  }

  private static ServerAddress server(String url) {
    try {
      return ServerAddress.parse(url);
    } catch (IllegalArgumentException e) {
      throw Flag.renamed("--upstream", e);
    }
  }

  private Optional<AccessLog> openLog() throws Failure {
    AccessFormat format = format();
    Optional<String> file = LogFileFlag.of("--access-log", accessLog);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(AccessLog.open(format, file.get(), accessLogAnonymous));
    } catch (IOException e) {
      throw new Failure(
          ExitCode.USAGE, "--access-log: " + file.get() + ": cannot be written: " + e);
    }
  }

  private AccessFormat format() {
    try {
      return AccessFormat.valueOf(accessLogFormat.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw Flag.invalid("--access-log-format", accessLogFormat, "json or common");
    }
  }
}
