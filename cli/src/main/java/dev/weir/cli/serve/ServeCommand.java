package dev.weir.cli.serve;

import dev.weir.cli.command.DaemonThreads;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Version;
import dev.weir.cli.log.DelayedResetLogManager;
import dev.weir.cli.log.LogLevel;
import dev.weir.cli.options.ListenOptions;
import dev.weir.cli.options.LogOptions;
import dev.weir.cli.options.RulesOptions;
import dev.weir.cli.options.RulesOptions.Origin;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.cli.store.CounterStore;
import dev.weir.cli.store.StoreOptions;
import dev.weir.cli.terminal.Terminal;
import dev.weir.rules.ActiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.envoy.DomainDefaults;
import dev.weir.rules.yaml.Problem;
import dev.weir.server.WeirServer;
import dev.weir.server.listen.CannotListen;
import dev.weir.server.settings.ListenAddress;
import dev.weir.server.settings.ServerSettings;
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
public final class ServeCommand implements Callable<Integer> {
  /** The time limit to stop, besides the drain time; a server should need ten seconds at most. */
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
      description = "Load all classes that a server may need, and exit when it is ready.")
  private boolean train;

  /** Creates the command. */
  public ServeCommand(Terminal out, Terminal err, Map<String, String> environment) {
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
      return ExitCode.USAGE;
    }
  }

  private int start() throws IOException, InterruptedException, Failure {
    RatelimitEnvironment ratelimit = new RatelimitEnvironment(environment);
    log.install(ratelimit);
    out = log.jsonLogOr(out, LogLevel.INFO);
    err = log.jsonLogOr(err, LogLevel.ERROR);
    ServerSettings settings = listen.settings(environment, ratelimit);
    Origin origin = rules.origin(ratelimit);
    DomainDefaults domains = ratelimit.domains();
    Optional<String> redis = store.isGiven(environment) ? Optional.empty() : ratelimit.store();
    if (!ratelimit.problems().isEmpty()) {
      ratelimit.problems().forEach(problem -> err.line("weir: ", problem));
      return ExitCode.USAGE;
    }
    if (train) {
      ArchiveTraining.loadRedis();
    }
    ScheduledExecutorService scheduler =
        Executors.newSingleThreadScheduledExecutor(DaemonThreads::create);
    Terminal warnings = log.log(LogLevel.WARN);
    try (CounterStore counters = store.open(environment, redis, warnings)) {
      ratelimit.notes().forEach(note -> warnings.line("weir: ", note));
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
      CounterStore counters,
      ScheduledExecutorService scheduler)
      throws InterruptedException {
    try (ServedRules served = ServedRules.open(origin, loader, scheduler)) {
      served.await(out);
      warnIfNothingIsLimited(served.active());
      serve(settings, origin, served.active(), counters);
      return ExitCode.OK;
    } catch (RulesRejected e) {
      e.problems().stream().map(Problem::toString).forEach(err::line);
      return ExitCode.REFUSED;
    } catch (CannotListen e) {
      err.line("weir: ", listen.explain(e));
      return ExitCode.USAGE;
    } catch (IOException e) {
      err.line("weir: ", origin.unreadable(e));
      return ExitCode.USAGE;
    } catch (IllegalStateException e) {
      err.line("weir: ", String.valueOf(e.getMessage()));
      return ExitCode.USAGE;
    }
  }

  /** Warns of a server that limits nothing, because it has no rules or waits for the first ones. */
  private void warnIfNothingIsLimited(ActiveRules active) {
    RuleSet ruleSet = active.current().rules();
    if (!active.isLoaded()) {
      err.line("weir: WARNING: no configuration yet, rate limit requests fail until it arrives");
    } else if (ruleSet.book().rules().isEmpty() && ruleSet.domains().names().isEmpty()) {
      active.status().notes().forEach(note -> err.line("weir: WARNING: ", note));
    }
  }

  private void serve(
      ServerSettings settings, Origin origin, ActiveRules active, CounterStore counters)
      throws InterruptedException {
    // Installed before the server is ready, because a signal may follow at once.
    StopSignal stop = StopSignal.install(settings.times().drain().plus(MAX_STOP));
    DelayedResetLogManager.delayResetUntil(stop.stopped());
    try (WeirServer server =
        WeirServer.start(settings, active, counters.store(), counters.keys(), stop.host())) {
      counters.ready();
      if (stop.isRequested()) {
        log.log(LogLevel.INFO).line("Stop requested before the server was ready");
      } else {
        announce(settings, origin, active.current().rules(), server, counters);
      }
      if (!train) {
        stop.await();
      }
    } finally {
      stop.stopped().countDown();
    }
  }

  private void announce(
      ServerSettings settings,
      Origin origin,
      RuleSet ruleSet,
      WeirServer server,
      CounterStore counters) {
    String scheme = settings.tls() == null ? "http" : "https";
    String url = scheme + "://" + address(settings.traffic().host(), server.port());
    Terminal warnings = log.log(LogLevel.WARN);
    ruleSet.warnings().forEach(warning -> warnings.line(warning.toString()));
    out.line("weir: ", sizes(ruleSet), " from ", origin.description());
    String reach = reach(settings.traffic().host(), "--host");
    out.line("weir: traffic on ", url, reach, ", counters ", counters.location());
    if (server.grpcPort() != ServerSettings.OFF) {
      String grpcHost = settings.grpc().host();
      String grpc = address(grpcHost, server.grpcPort()) + reach(grpcHost, "--grpc-host");
      out.line("weir: Envoy's rate limit service on ", grpc);
    }
    out.line(
        "weir: metrics and administration on ",
        scheme + "://" + address(settings.admin().host(), server.adminPort()));
    out.line("try:  curl -i ", url, "/v1/check/hello");
  }

  /** The address at which this machine can connect. */
  private static String address(String host, int port) {
    String local = host.equals("0.0.0.0") ? "127.0.0.1" : host.equals("::") ? "::1" : host;
    return new ListenAddress(local, port).toString();
  }

  /** A note on who can connect, since an unreachable server looks like one that is down. */
  private static String reach(String host, String flag) {
    if (ServerSettings.isLoopback(host)) {
      return " (only this machine can connect; " + flag + " 0.0.0.0 for others)";
    }
    return host.equals("0.0.0.0") || host.equals("::") ? " (and all other addresses)" : "";
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
