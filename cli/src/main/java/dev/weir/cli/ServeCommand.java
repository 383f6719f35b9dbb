package dev.weir.cli;

import dev.weir.cli.RulesOptions.Origin;
import dev.weir.cli.log.LastingLog;
import dev.weir.cli.log.LogLevel;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.domain.DomainBook;
import dev.weir.server.CannotListen;
import dev.weir.server.Domains;
import dev.weir.server.ListenAddress;
import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.yaml.DomainDefaults;
import dev.weir.yaml.Problem;
import dev.weir.yaml.RuleSet;
import dev.weir.yaml.RulesInForce;
import dev.weir.yaml.RulesLoader;
import dev.weir.yaml.RulesRefused;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the service until it is told to stop. */
@Command(
    name = "serve",
    description = "Runs the rate-limit service.",
    customSynopsis = "weir serve [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Examples:",
      "  weir serve                              # sample rules, counters in this process",
      "  weir serve --rules rules.yaml --host 0.0.0.0   # for other machines too",
      "  weir serve --store redis://127.0.0.1:6379   # counters shared by a fleet",
      "  curl -i http://127.0.0.1:8080/v1/check/hello"
    })
final class ServeCommand implements Callable<Integer> {
  /** What a server may take to stop, beside its drain time; it should take ten seconds at most. */
  private static final Duration MAX_STOP = Duration.ofSeconds(30);

  private final Map<String, String> environment;
  private Terminal out;
  private Terminal err;

  @Mixin private final RulesOptions rules = new RulesOptions();

  @Mixin private final ListenOptions listen = new ListenOptions();

  @Mixin private final StoreOptions store = new StoreOptions();

  @Mixin private final LogOptions log = new LogOptions();

  @Option(
      names = "--train",
      hidden = true,
      description = "Loads what else a server may need, and stops once it is ready.")
  private boolean train;

  ServeCommand(Terminal out, Terminal err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try {
      return start();
    } catch (Failure e) {
      err.line("weir: ", String.valueOf(e.getMessage()));
      return e.exitCode();
    } catch (IllegalArgumentException e) {
      err.line("weir: ", String.valueOf(e.getMessage()));
      return Exit.USAGE;
    }
  }

  private int start() throws IOException, InterruptedException, Failure {
    RatelimitEnvironment ratelimit = new RatelimitEnvironment(environment);
    log.install(ratelimit);
    out = log.orLog(out, LogLevel.INFO);
    err = log.orLog(err, LogLevel.ERROR);
    ServerSettings settings = listen.settings(environment, ratelimit);
    Origin origin = rules.origin(ratelimit);
    DomainDefaults domains = ratelimit.domains();
    Optional<String> redis = store.isGiven(environment) ? Optional.empty() : ratelimit.store();
    if (!ratelimit.refusals().isEmpty()) {
      ratelimit.refusals().forEach(problem -> err.line("weir: ", problem));
      return Exit.USAGE;
    }
    if (train) {
      Training.loadRedis();
    }
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(Main::daemon);
    Terminal warnings = log.log(LogLevel.WARN);
    try (Counters counters = store.open(environment, redis, warnings)) {
      ratelimit.notes().forEach(note -> warnings.line("weir: ", note));
      counters.start(scheduler);
      RulesLoader loader = new RulesLoader(counters.keys(), environment).with(domains);
      return serve(settings, origin, loader, counters, scheduler);
    } finally {
      scheduler.shutdownNow();
    }
  }

  private int serve(
      ServerSettings settings,
      Origin origin,
      RulesLoader loader,
      Counters counters,
      ScheduledExecutorService scheduler)
      throws InterruptedException {
    try (ServedRules served = ServedRules.open(origin, loader, scheduler)) {
      served.await(out);
      tellIfNothingIsLimited(served.inForce());
      serve(settings, origin, served.inForce(), counters);
      return Exit.OK;
    } catch (RulesRefused e) {
      e.problems().stream().map(Problem::toString).forEach(err::line);
      return Exit.REFUSED;
    } catch (CannotListen e) {
      err.line("weir: ", listen.why(e));
      return Exit.USAGE;
    } catch (IOException e) {
      err.line("weir: ", origin.unreadable(e));
      return Exit.USAGE;
    } catch (IllegalStateException e) {
      err.line("weir: ", String.valueOf(e.getMessage()));
      return Exit.USAGE;
    }
  }

  /** A server that waits for its first rules limits nothing, and should not do so quietly. */
  private void tellIfNothingIsLimited(RulesInForce inForce) {
    RuleSet now = inForce.current().rules();
    if (!inForce.isLoaded()) {
      err.line("weir: WARNING: no configuration yet, rate limit requests fail until it comes");
    } else if (now.book().rules().isEmpty() && now.domains().names().isEmpty()) {
      inForce.status().notes().forEach(note -> err.line("weir: WARNING: ", note));
    }
  }

  private void serve(
      ServerSettings settings, Origin origin, RulesInForce inForce, Counters counters)
      throws InterruptedException {
    Domains domains = new Domains(live -> live.rules().domains(), counters.keys());
    // Before the server is ready: whoever sees that it is may send a signal.
    StopSignal stop = StopSignal.install(settings.times().drain().plus(MAX_STOP));
    LastingLog.until(stop.stopped());
    try (WeirServer server =
        WeirServer.start(settings, inForce, counters.store(), domains, stop.host())) {
      counters.ready();
      if (stop.isRequested()) {
        log.log(LogLevel.INFO).line("Told to stop before it was ready");
      } else {
        tell(settings, origin, inForce.current().rules(), server, counters);
      }
      if (!train) {
        stop.await();
      }
    } finally {
      stop.stopped().countDown();
    }
  }

  private void tell(
      ServerSettings settings, Origin origin, RuleSet now, WeirServer server, Counters counters) {
    String scheme = settings.tls() == null ? "http" : "https";
    String url = scheme + "://" + address(settings.traffic().host(), server.port());
    Terminal warnings = log.log(LogLevel.WARN);
    now.warnings().forEach(warning -> warnings.line(warning.toString()));
    out.line("weir: ", sizes(now), " from ", origin.told());
    String trafficFor = whose(settings.traffic().host(), "--host");
    out.line("weir: traffic on ", url, trafficFor, ", counters ", counters.where());
    if (server.grpcPort() != ServerSettings.OFF) {
      String grpcHost = settings.grpc().host();
      String grpc = address(grpcHost, server.grpcPort()) + whose(grpcHost, "--grpc-host");
      out.line("weir: Envoy's rate limit service on ", grpc);
    }
    out.line(
        "weir: metrics and administration on ",
        scheme + "://" + address(settings.admin().host(), server.adminPort()));
    out.line("try:  curl -i ", url, "/v1/check/hello");
  }

  /** Where this machine itself can ask. */
  private static String address(String host, int port) {
    String here = host.equals("0.0.0.0") ? "127.0.0.1" : host.equals("::") ? "::1" : host;
    return new ListenAddress(here, port).toString();
  }

  /** Who else can, said plainly: one who cannot be reached looks like one who is down. */
  private static String whose(String host, String flag) {
    if (ServerSettings.isLoopback(host)) {
      return " (only this machine can ask; " + flag + " 0.0.0.0 for others)";
    }
    return host.equals("0.0.0.0") || host.equals("::") ? " (and every other address)" : "";
  }

  private static String sizes(RuleSet rules) {
    String own = rules.book().rules().size() + " rules";
    DomainBook domains = rules.domains();
    if (domains.names().isEmpty()) {
      return own;
    }
    String limits = domains.rules().size() + " limits of " + domains.names().size() + " domains";
    return rules.book().rules().isEmpty() ? limits : own + " and " + limits;
  }
}
