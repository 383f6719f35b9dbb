package dev.weir.benchmarks.rls;

import static java.util.Objects.requireNonNull;

import dev.weir.async.Continuations;
import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Options.Peer;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Rounds;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.benchmarks.harness.Workers;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.server.WeirServer;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.store.StoreConfig;
import dev.weir.shared.GuardSettings;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Measures ShouldRateLimit, compared with minimal handlers and with a peer. */
public final class RlsScenario implements Scenario {
  /** Rounds until hot code is compiled, in the server and in the load process. */
  private static final int WARM_UPS = 4;

  private static final String EMPTY = "empty handler";
  private static final String WEIR = "weir, embedded store";
  private static final String EVALSHA = "one EVALSHA per call";
  private static final String WEIR_ON_REDIS = "weir on Redis";
  private static final String PEER = "peer";

  @Override
  public String about() {
    return "Envoy's rate limit service beside an empty handler, one EVALSHA per call, any --peer";
  }

  @Override
  public boolean takesPeer() {
    return true;
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    RedisBinary binary = RedisBinary.chosen();
    report.line(
        "Redis "
            + binary.version()
            + ". Each call has two descriptors, one of 10,000 and one of two; nothing");
    report.line(
        "is denied. Two connections, 128 calls in flight. Medians of rounds in which all take turns,");
    report.line("and of their ratios; load, servers and Redis share the cores.");
    int rounds = options.full() ? 7 : 5;
    int millis = options.full() ? 4_000 : 2_500;
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    try (Workers workers = new Workers(1, 256, Load.class);
        RedisServer redis = RedisServer.start(binary);
        RedisStore store =
            RedisStore.connect(
                RedisSettings.parse(redis.url() + "?deadline=1s"), Continuations.DIRECT)) {
      RedisClient client = RedisClient.create(redis.url());
      try (WeirServer embedded = serve(StoreConfig.embedded(new MemoryStore()))) {
        Map<String, Peer> servers = new LinkedHashMap<>();
        servers.put(EMPTY, loopback(Handlers.empty(vertx)));
        servers.put(WEIR, loopback(embedded.grpcPort()));
        inProcess(report, workers, servers, rounds, millis);
      }
      StoreConfig shared =
          new StoreConfig(
              "redis",
              store,
              new MemoryStore(),
              Optional.empty(),
              store.shards(),
              GuardSettings.DEFAULT.withDeadline(Duration.ofSeconds(3)),
              store::calls,
              List::of);
      try (WeirServer onRedis = serve(shared)) {
        Map<String, Peer> servers = new LinkedHashMap<>();
        servers.put(EVALSHA, loopback(Handlers.evalsha(vertx, client)));
        servers.put(WEIR_ON_REDIS, loopback(onRedis.grpcPort()));
        if (options.peer() != null) {
          servers.put(PEER, options.peer());
        }
        onRedis(report, workers, servers, rounds, millis);
      }
      client.shutdown();
    } finally {
      vertx.close().await();
    }
  }

  private static Peer loopback(int port) {
    return new Peer("127.0.0.1", port);
  }

  private static void inProcess(
      Report report, Workers workers, Map<String, Peer> servers, int rounds, int millis)
      throws Exception {
    Rounds<String, Round> all = rounds(workers, servers, rounds, millis);
    report(report, all, "In one process");
    report.claimAtLeast("over-empty-handler", 0.8, all.ratio(WEIR, EMPTY, Round::perSecond));
    report.claimAtMost("p99-over-empty-handler", 1.5, all.ratio(WEIR, EMPTY, Round::p99Micros));
  }

  private static void onRedis(
      Report report, Workers workers, Map<String, Peer> servers, int rounds, int millis)
      throws Exception {
    Rounds<String, Round> all = rounds(workers, servers, rounds, millis);
    report(report, all, "With Redis");
    report.claimAtLeast(
        "redis-over-evalsha", 1.5, all.ratio(WEIR_ON_REDIS, EVALSHA, Round::perSecond));
    if (servers.containsKey(PEER)) {
      report.claimAtLeast("over-peer", 1, all.ratio(WEIR_ON_REDIS, PEER, Round::perSecond));
      report.claimAtMost("p99-over-peer", 1, all.ratio(WEIR_ON_REDIS, PEER, Round::p99Micros));
    }
  }

  private static Rounds<String, Round> rounds(
      Workers workers, Map<String, Peer> servers, int rounds, int millis) throws IOException {
    return Rounds.run(
        servers.keySet(),
        WARM_UPS,
        rounds,
        name -> Round.measure(requireNonNull(servers.get(name)), workers, millis));
  }

  private static void report(Report report, Rounds<String, Round> rounds, String title) {
    report.line("");
    report.line(title + ":");
    report.line("");
    report.line("| | requests/s | p50 µs | p99 µs |");
    report.line("|---|---|---|---|");
    for (String name : rounds.all()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f | %.0f |",
              name,
              rounds.median(name, Round::perSecond),
              rounds.median(name, Round::p50Micros),
              rounds.median(name, Round::p99Micros)));
    }
  }

  private static WeirServer serve(StoreConfig store) throws Exception {
    Path file = Files.createTempFile("bench", ".yaml");
    file.toFile().deleteOnExit();
    try (InputStream in = RlsScenario.class.getResourceAsStream("bench.yaml")) {
      Files.write(file, requireNonNull(in, "bench.yaml").readAllBytes());
    }
    KeySpace keys = KeySpace.random();
    RulesLoader loader = new RulesLoader(keys, Map.of());
    RulesFileWatcher watcher =
        new RulesFileWatcher(RuleFiles.at(file), loader, InstantSource.system());
    return WeirServer.start(ServerSettings.DEFAULT.withPorts(0, 0, 0), watcher, store, keys);
  }
}
