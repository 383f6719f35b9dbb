package dev.weir.cli.serve;

import dev.weir.cli.command.DaemonThreads;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.log.DelayedResetLogManager;
import dev.weir.cli.log.LogLevel;
import dev.weir.cli.options.ListenOptions;
import dev.weir.cli.options.LogOptions;
import dev.weir.cli.options.RulesOptions;
import dev.weir.cli.options.RulesOptions.Origin;
import dev.weir.cli.options.TelemetryOptions;
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
import dev.weir.server.TrafficHandler;
import dev.weir.server.WeirServer;
import dev.weir.server.listen.CannotListen;
import dev.weir.server.settings.ListenAddress;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/**
 * A command that runs a service until a signal stops it. Reads the options that all services have:
 * rules, listeners, store and log.
 */
public abstract class ServiceCommand implements Callable<Integer> {
  /** The time limit to stop, besides the drain time; a server should need ten seconds at most. */
  private static final Duration MAX_STOP = Duration.ofSeconds(30);

  private final Map<String, String> environment;
  private Terminal out;
  private Terminal err;

  @Mixin private final RulesOptions rules = new RulesOptions();

  @Mixin private final ListenOptions listen = new ListenOptions();

  @Mixin private final StoreOptions store = new StoreOptions();

  @Mixin private final LogOptions log = new LogOptions();

  @Mixin private final TelemetryOptions telemetry = new TelemetryOptions();

  /** Creates the command. */
  protected ServiceCommand(Terminal out, Terminal err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  /** The variables of envoyproxy/ratelimit that count for this service. */
  protected abstract RatelimitEnvironment ratelimit(Map<String, String> env);

  /** The gRPC port if no flag names one; {@link ServerSettings#OFF} for none. */
  protected abstract int defaultGrpcPort();

  /**
   * Creates the handler of the traffic port; null for decisions by HTTP.
   *
   * @throws Failure if it cannot, because a file cannot be written for example
   * @throws IllegalArgumentException if a flag is invalid
   */
  protected abstract TrafficHandler.@Nullable Factory traffic() throws Failure;

  /** The name of this service for a collector. */
  protected abstract String serviceName();

  /**
   * The logs of requests, adjusted to this service.
   *
   * @throws Failure if a file cannot be written
   */
  protected TelemetrySettings telemetry(TelemetrySettings usual) throws Failure {
    return usual;
  }

  /** The loader of the rules, adjusted to this service. */
  protected RulesLoader loader(RulesLoader usual) {
    return usual;
  }

  /** What to try first, at the URL of the traffic port. */
  protected abstract String hint(String url);

  /** Whether to load everything that a service may need, and exit when it is ready. */
  protected boolean isTraining() {
    return false;
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
    RatelimitEnvironment ratelimit = ratelimit(environment);
    log.install(ratelimit);
    out = log.jsonLogOr(out, LogLevel.INFO);
    err = log.jsonLogOr(err, LogLevel.ERROR);
    ServerSettings settings =
        listen
            .settings(environment, ratelimit, defaultGrpcPort())
            .withTelemetry(telemetry(telemetry.settings(environment, serviceName(), log.isJson())));
    Origin origin = rules.origin(ratelimit);
    DomainDefaults domains = ratelimit.domains();
    Optional<String> redis = store.isGiven(environment) ? Optional.empty() : ratelimit.store();
    TrafficHandler.Factory traffic = traffic();
    if (!ratelimit.problems().isEmpty()) {
      ratelimit.problems().forEach(problem -> err.line("weir: ", problem));
      return ExitCode.USAGE;
    }
    if (isTraining()) {
      ArchiveTraining.loadRedis();
    }
    ScheduledExecutorService scheduler =
        Executors.newSingleThreadScheduledExecutor(DaemonThreads::create);
    Terminal warnings = log.log(LogLevel.WARN);
    try (CounterStore counters = store.open(environment, redis, warnings)) {
      ratelimit.notes().forEach(note -> warnings.line("weir: ", note));
      telemetry.notes().forEach(note -> warnings.line("weir: ", note));
      RulesLoader loader = loader(new RulesLoader(counters.keys(), environment).with(domains));
      return serve(new Wiring(settings, traffic, origin), loader, counters, scheduler);
    } finally {
      scheduler.shutdownNow();
    }
  }

  /**
   * What a service is made of.
   *
   * @param traffic creates the handler of the traffic port; null for decisions by HTTP
   */
  private record Wiring(
      ServerSettings settings, TrafficHandler.@Nullable Factory traffic, Origin origin) {}

  private int serve(
      Wiring wiring, RulesLoader loader, CounterStore counters, ScheduledExecutorService scheduler)
      throws InterruptedException {
    try (ServedRules served = ServedRules.open(wiring.origin(), loader, scheduler)) {
      served.await(out);
      warnIfNothingIsLimited(served.active());
      serve(wiring, served.active(), counters);
      return ExitCode.OK;
    } catch (RulesRejected e) {
      e.problems().stream().map(Problem::toString).forEach(err::line);
      return ExitCode.REFUSED;
    } catch (CannotListen e) {
      err.line("weir: ", listen.explain(e));
      return ExitCode.USAGE;
    } catch (IOException e) {
      err.line("weir: ", wiring.origin().unreadable(e));
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

  private void serve(Wiring wiring, ActiveRules active, CounterStore counters)
      throws InterruptedException {
    ServerSettings settings = wiring.settings();
    // Installed before the server is ready, because a signal may follow at once.
    StopSignal stop = StopSignal.install(settings.times().drain().plus(MAX_STOP));
    DelayedResetLogManager.delayResetUntil(stop.stopped());
    try (WeirServer server =
        WeirServer.start(
            settings, active, counters.store(), counters.keys(), wiring.traffic(), stop.host())) {
      counters.ready();
      if (stop.isRequested()) {
        log.log(LogLevel.INFO).line("Stop requested before the server was ready");
      } else {
        announce(wiring, active.current().rules(), server, counters);
      }
      if (!isTraining()) {
        stop.await();
      }
    } finally {
      stop.stopped().countDown();
    }
  }

  private void announce(Wiring wiring, RuleSet ruleSet, WeirServer server, CounterStore counters) {
    ServerSettings settings = wiring.settings();
    String scheme = settings.tls() == null ? "http" : "https";
    String url = scheme + "://" + address(settings.traffic().host(), server.port());
    Terminal warnings = log.log(LogLevel.WARN);
    ruleSet.warnings().forEach(warning -> warnings.line(warning.toString()));
    out.line("weir: ", sizes(ruleSet), " from ", wiring.origin().description());
    if (wiring.traffic() == null && !ruleSet.gateway().upstreams().isEmpty()) {
      out.line("weir: upstreams and routes of the rules are ignored (weir gateway uses them)");
    }
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
    out.line("try:  ", hint(url));
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
