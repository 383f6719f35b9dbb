package dev.weir.cli;

import dev.weir.Ticker;
import dev.weir.http.LimitFields;
import dev.weir.memory.MemoryStore;
import dev.weir.server.Domains;
import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.server.rls.RlsSettings;
import dev.weir.yaml.Problem;
import dev.weir.yaml.RuleFiles;
import dev.weir.yaml.RulesLoader;
import dev.weir.yaml.RulesRefused;
import dev.weir.yaml.RulesWatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
      "  weir serve --rules rules.yaml --port 8080",
      "  weir serve --store redis://127.0.0.1:6379   # counters shared by a fleet",
      "  curl -i http://127.0.0.1:8080/v1/check/hello"
    })
final class ServeCommand implements Callable<Integer> {
  private static final int MOST_WAIT_SECONDS = 86_400;

  private final Terminal out;
  private final Terminal err;
  private final Map<String, String> environment;

  @Option(names = "--rules", paramLabel = "FILE|DIR", description = "Rules; watched for changes.")
  private @Nullable Path rules;

  @Option(names = "--host", description = "Where to listen; every address if not given.")
  private String host = ServerSettings.DEFAULT.host();

  @Option(names = "--port", description = "Port for traffic, 0 for a free one; 8080 if not given.")
  private int port = ServerSettings.DEFAULT.port();

  @Option(
      names = "--grpc-port",
      description = "Port for Envoy's rate limit service, 0 for a free one, -1 for none; 8081.")
  private int grpcPort = ServerSettings.DEFAULT.grpcPort();

  @Option(names = "--admin-host", description = "Where administrators ask; 127.0.0.1 if not given.")
  private String adminHost = ServerSettings.DEFAULT.adminHost();

  @Option(names = "--admin-port", description = "Port for metrics and administration; 6070.")
  private int adminPort = ServerSettings.DEFAULT.adminPort();

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that administrators must show.")
  private @Nullable String adminTokenEnv;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description =
          "Where counters live: embedded, in this process; or in Redis or Valkey, shared by"
              + " servers: redis:, rediss:, redis-socket:, redis-sentinel:, redis-cluster:. If not"
              + " given: $WEIR_STORE, else embedded.")
  private @Nullable String store;

  @Option(
      names = "--store-file",
      paramLabel = "FILE",
      description = "The same, read from the first line of a file, for a URL with a password.")
  private @Nullable Path storeFile;

  @Option(
      names = "--store-wait",
      paramLabel = "SECONDS",
      description = "Go on trying so long to reach the store at the start; 0.")
  private int storeWait;

  @Option(
      names = "--key-secret-file",
      paramLabel = "FILE",
      description =
          "The secret for keys, the same for all servers on one store. If not given:"
              + " $WEIR_KEY_SECRET, else one that they keep in the store.")
  private @Nullable Path keySecretFile;

  @Option(names = "--max-keys", description = "Most counters in memory; 1000000.")
  private long maxKeys = MemoryStore.DEFAULT_MAX_KEYS;

  @Option(
      names = "--headers",
      split = ",",
      description = "Headers to send: X_RATELIMIT, IETF, RETRY_AFTER; all if not given.")
  private List<LimitFields.Family> headers = List.of(LimitFields.Family.values());

  @Option(
      names = "--retry-jitter",
      paramLabel = "PERCENT",
      description = "Make Retry-After up to so much longer, at random; 0.")
  private int jitter;

  @Option(
      names = "--tls-cert",
      paramLabel = "PEM",
      description = "Serve TLS with this certificate.")
  private @Nullable Path certificate;

  @Option(names = "--tls-key", paramLabel = "PEM", description = "The key of the certificate.")
  private @Nullable Path key;

  @Option(
      names = "--drain-seconds",
      description = "Go on answering so long after readiness is off; 0.")
  private int drainSeconds;

  @Option(
      names = "--request-seconds",
      description = "Cut off requests that take longer to arrive; 10.")
  private int requestSeconds = (int) ServerSettings.DEFAULT.requestTime().toSeconds();

  ServeCommand(Terminal out, Terminal err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    StoreChoice choice = StoreChoice.of(store, storeFile, environment);
    KeySecret secret = KeySecret.given(keySecretFile, environment);
    MemoryStore memory;
    ServerSettings settings;
    try {
      memory = new MemoryStore(maxKeys, Ticker.system());
      settings = settings();
    } catch (IllegalArgumentException e) {
      err.line("weir: ", String.valueOf(e.getMessage()));
      return Exit.USAGE;
    }
    ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(Main::daemon);
    try (Counters counters = counters(choice, secret, memory)) {
      counters.start(scheduler);
      return serve(settings, counters, scheduler);
    } finally {
      scheduler.shutdownNow();
    }
  }

  private Counters counters(StoreChoice choice, @Nullable KeySecret secret, MemoryStore memory)
      throws Failure, InterruptedException {
    if (storeWait < 0 || storeWait > MOST_WAIT_SECONDS) {
      String expected = "between 0 and " + MOST_WAIT_SECONDS;
      throw new Failure(Exit.USAGE, "--store-wait: " + storeWait + " (expected: " + expected + ")");
    }
    return choice.isEmbedded()
        ? Counters.embedded(memory, secret)
        : RedisCounters.open(choice, secret, memory, Duration.ofSeconds(storeWait), err);
  }

  private int serve(ServerSettings settings, Counters counters, ScheduledExecutorService scheduler)
      throws IOException, InterruptedException {
    Path files = rules == null ? sample() : rules;
    RulesLoader loader = new RulesLoader(counters.keys(), environment);
    try (RulesWatch watch = new RulesWatch(RuleFiles.at(files), loader, InstantSource.system())) {
      watch.start(scheduler);
      serve(settings, watch, counters);
      return Exit.OK;
    } catch (RulesRefused e) {
      e.problems().stream().map(Problem::toString).forEach(err::line);
      return Exit.REFUSED;
    } catch (IOException | IllegalStateException e) {
      err.line("weir: ", String.valueOf(e.getMessage()));
      return Exit.USAGE;
    }
  }

  private void serve(ServerSettings settings, RulesWatch watch, Counters counters)
      throws InterruptedException {
    Domains domains = new Domains(live -> live.rules().domains(), counters.keys());
    WeirServer server = WeirServer.start(settings, watch, counters.store(), domains);
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(stop, stopped)));
    tell(settings, watch, server, counters);
    stop.await();
    server.close();
    stopped.countDown();
  }

  /** The process ends when its hooks have: so those in flight get their answer. */
  private static void stopAndWait(CountDownLatch stop, CountDownLatch stopped) {
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(
      ServerSettings settings, RulesWatch watch, WeirServer server, Counters counters) {
    String scheme = settings.tls() == null ? "http" : "https";
    String address = settings.host().equals("0.0.0.0") ? "127.0.0.1" : settings.host();
    String url = scheme + "://" + address + ":" + server.port();
    String source = rules == null ? "the sample rules" : rules.toString();
    watch.current().rules().warnings().forEach(warning -> err.line(warning.toString()));
    out.line("weir: ", watch.current().book().rules().size(), " rules from ", source);
    out.line("weir: traffic on ", url, ", counters ", counters.where());
    if (server.grpcPort() != ServerSettings.OFF) {
      out.line("weir: Envoy's rate limit service on ", address + ":" + server.grpcPort());
    }
    out.line(
        "weir: metrics and administration on ",
        scheme + "://" + settings.adminHost() + ":" + server.adminPort());
    out.line("try:  curl -i ", url, "/v1/check/hello");
  }

  private ServerSettings settings() {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("--tls-cert, --tls-key: one (expected: both or none)");
    }
    String token = adminTokenEnv == null ? null : environment.get(adminTokenEnv);
    if (adminTokenEnv != null && (token == null || token.isEmpty())) {
      String expected = "a variable that is set";
      throw new IllegalArgumentException(
          "--admin-token-env: " + adminTokenEnv + " (expected: " + expected + ")");
    }
    ServerSettings.Tls tls =
        certificate == null || key == null ? null : new ServerSettings.Tls(certificate, key);
    if (tls != null) {
      try {
        tls.check();
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--" + e.getMessage(), e);
      }
    }
    return new ServerSettings(
        host,
        port,
        adminHost,
        adminPort,
        grpcPort,
        token,
        tls,
        new LimitFields(
            headers.isEmpty() ? EnumSet.noneOf(LimitFields.Family.class) : EnumSet.copyOf(headers)),
        jitter,
        Duration.ofSeconds(drainSeconds),
        Duration.ofSeconds(requestSeconds),
        RlsSettings.DEFAULT);
  }

  /** The sample rules as a file, since files are what is watched. */
  private static Path sample() throws IOException {
    try (InputStream in = ServeCommand.class.getResourceAsStream("sample-rules.yaml")) {
      Path file = Files.createTempFile("weir-sample-rules", ".yaml");
      file.toFile().deleteOnExit();
      Files.write(file, Objects.requireNonNull(in, "sample-rules.yaml").readAllBytes());
      return file;
    }
  }
}
