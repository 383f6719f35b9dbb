package dev.weir.cli.doctor;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.ServerClient;
import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.doctor.check.Outage;
import dev.weir.cli.doctor.check.Server;
import dev.weir.cli.doctor.plan.Planner;
import dev.weir.cli.doctor.plan.RequestTemplate;
import dev.weir.cli.doctor.probe.HttpGateway;
import dev.weir.cli.doctor.report.Check;
import dev.weir.load.Target;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the examination of a gateway. */
final class DoctorOptions {
  private static final int MAX_REQUESTS = 100_000;
  private static final int MAX_SECONDS = 3_600;
  private static final int MAX_SERVERS = 16;
  private static final int MAX_PAUSE_MILLIS = 10_000;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "Administration address of a server behind the gateway, to see what reaches it;"
              + " repeatable, to see that servers share counters.")
  private List<String> servers = List.of();

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that their administrators must send.")
  private @Nullable String adminTokenEnv;

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "A header of all requests, such as credentials; repeatable.")
  private List<String> headers = List.of();

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "The host that requests name; that of the URL if not given.")
  private @Nullable String host;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description =
          "A path that exists behind the gateway, for rules without a path, and to try whether it"
              + " is limited; repeatable.")
  private List<String> paths = List.of();

  @Option(names = "--only", paramLabel = "RULE", description = "Only this rule; repeatable.")
  private List<String> only = List.of();

  @Option(
      names = "--skip",
      paramLabel = "CHECK",
      description = "Not this check, such as headers-arrive; repeatable.")
  private List<String> skip = List.of();

  @Option(
      names = "--shared",
      description =
          "Use up counters that other callers share too, who are denied until they refill.")
  private boolean shared;

  @Option(
      names = "--max-requests",
      paramLabel = "N",
      description = "The maximum number of requests; 2000.")
  private String maxRequests = "2000";

  @Option(names = "--max-seconds", paramLabel = "N", description = "The maximum time; 300.")
  private String maxSeconds = "300";

  @Option(
      names = "--pause-millis",
      paramLabel = "N",
      description = "The pause between two requests; 2.")
  private String pauseMillis = "2";

  @Option(
      names = "--stop-store",
      paramLabel = "COMMAND",
      description =
          "Try what happens without the store: a shell command that makes it stop to answer. With"
              + " --start-store.")
  private @Nullable String stopStore;

  @Option(
      names = "--start-store",
      paramLabel = "COMMAND",
      description = "A shell command that makes the store answer again; run in any case.")
  private @Nullable String startStore;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of all made-up callers; another one for each run if not given.")
  private @Nullable String seed;

  /**
   * The maximum number of requests.
   *
   * @throws IllegalArgumentException if it is none
   */
  int maxRequests() {
    return (int) Flag.integer("--max-requests", maxRequests, 1, MAX_REQUESTS);
  }

  Optional<Outage> outage() {
    if (stopStore == null && startStore == null) {
      return Optional.empty();
    }
    if (stopStore == null || startStore == null) {
      String missing = stopStore == null ? "--stop-store" : "--start-store";
      throw Flag.invalid(missing, "", "both --stop-store and --start-store, or none");
    }
    return Optional.of(new Outage(stopStore, startStore));
  }

  HttpGateway.Bounds bounds() {
    long seconds = Flag.integer("--max-seconds", maxSeconds, 1, MAX_SECONDS);
    long pause = Flag.integer("--pause-millis", pauseMillis, 0, MAX_PAUSE_MILLIS);
    return new HttpGateway.Bounds(maxRequests(), seconds, pause);
  }

  long seed() {
    return seed == null
        ? new SplittableRandom().nextLong() >>> 20
        : Flag.integer("--seed", seed, 0, Long.MAX_VALUE / 10);
  }

  List<Server> servers(Map<String, String> environment) {
    if (servers.size() > MAX_SERVERS) {
      throw Flag.invalid("--server", servers.size() + " of them", "at most " + MAX_SERVERS);
    }
    String token = AdminClient.token(adminTokenEnv, environment);
    List<Server> all = new ArrayList<>();
    for (String url : servers) {
      all.add(new Server(new AdminClient(ServerClient.at("--server", url), token)));
    }
    return all;
  }

  RequestTemplate template(Target target) {
    String named = host == null ? target.authority() : host;
    if (!named.matches("[!-~]{1,300}")) {
      throw Flag.invalid("--host", named, "a host in ASCII, such as shop.example.com");
    }
    for (String path : paths) {
      if (!path.matches("/[!-~]{0,2000}")) {
        throw Flag.invalid("--path", path, "a path in ASCII, such as /login");
      }
    }
    // Rejects malformed headers.
    var unused = SyntheticRequest.of("METHOD", "GET", "PATH", "/", headers, named, "127.0.0.1");
    for (String header : headers) {
      if (!header.matches("[\t -~]*")) {
        throw Flag.invalid("--header", header, "a value in ASCII");
      }
    }
    return new RequestTemplate(named, headers, paths);
  }

  List<String> paths() {
    return paths;
  }

  Planner.Permitted permitted(Set<String> rules) {
    for (String rule : only) {
      if (!rules.contains(rule)) {
        throw Flag.invalid("--only", rule, "the name of a rule in --rules");
      }
    }
    return new Planner.Permitted(Set.copyOf(only), maxRequests(), shared);
  }

  Set<Check> skipped() {
    Set<Check> skipped = EnumSet.noneOf(Check.class);
    for (String name : skip) {
      skipped.add(
          List.of(Check.values()).stream()
              .filter(check -> check.id().equals(name))
              .findFirst()
              .orElseThrow(() -> Flag.invalid("--skip", name, checks())));
    }
    return skipped;
  }

  private static String checks() {
    return Flag.oneOf(List.of(Check.values()).stream().map(Check::id).toList());
  }
}
