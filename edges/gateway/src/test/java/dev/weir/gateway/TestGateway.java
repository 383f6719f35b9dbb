package dev.weir.gateway;

import dev.weir.gateway.log.AccessLog;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.gateway.ServerAddress;
import dev.weir.rules.gateway.UpstreamSettings;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.server.HostProcess;
import dev.weir.server.WeirServer;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.store.StoreConfig;
import dev.weir.server.tls.Tls;
import dev.weir.server.warmup.Driver;
import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A gateway on free ports with the rules of a test, and a client for it. */
final class TestGateway implements AutoCloseable {
  /** Rules that never deny. */
  static final String OPEN = "rules: [{name: all, limit: 1000000/second}]\n";

  private static final ServerSettings FREE_PORTS = ServerSettings.DEFAULT.withPorts(0, -1, 0);

  final HttpClient client;

  /** The clock by which changes of the rules settle. */
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

  private final Path rulesFile;
  private final RulesFileWatcher rules;
  private final WeirServer server;
  private final String scheme;

  private TestGateway(
      String text,
      ServerSettings settings,
      StoreConfig store,
      KeySpace keys,
      GatewayOptions options,
      HttpClient.Builder client) {
    this.scheme = settings.tls() == null ? "http" : "https";
    this.client = client.connectTimeout(Duration.ofSeconds(20)).build();
    try {
      rulesFile = Files.createTempFile("rules", ".yaml");
      Files.writeString(rulesFile, text);
      rules =
          new RulesFileWatcher(
              RuleFiles.at(rulesFile),
              new RulesLoader(keys, Map.of()).forGateway(options.upstream().isEmpty()),
              now::get);
      server =
          WeirServer.start(
              settings,
              rules,
              store,
              keys,
              GatewayEdge.factory(options),
              HostProcess.NEVER_STOPPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RulesRejected e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** A gateway in front of these servers. */
  static TestGateway to(String rules, String... urls) {
    return start(rules, FREE_PORTS, Optional.empty(), urls);
  }

  /** A gateway that writes an access log. */
  static TestGateway logging(AccessLog log, String rules, String... urls) {
    return start(rules, FREE_PORTS, Optional.of(log), urls);
  }

  /** A gateway whose upstreams are in its rules file. */
  static TestGateway configured(String rules) {
    return start(rules, FREE_PORTS, Optional.empty());
  }

  static TestGateway start(
      String rules, ServerSettings settings, Optional<AccessLog> log, String... urls) {
    List<ServerAddress> servers = Arrays.stream(urls).map(ServerAddress::parse).toList();
    Optional<UpstreamSettings> upstream =
        servers.isEmpty() ? Optional.empty() : Optional.of(UpstreamSettings.of("up", servers));
    return new TestGateway(
        rules,
        settings,
        StoreConfig.embedded(new MemoryStore()),
        KeySpace.random(),
        new GatewayOptions(upstream, log),
        plain());
  }

  private static HttpClient.Builder plain() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
  }

  /** A gateway with TLS, whose upstreams are in its rules file, and a client for it. */
  static TestGateway secure(String rules, Tls tls, HttpClient.Builder client) {
    return new TestGateway(
        rules,
        FREE_PORTS.withTls(tls),
        StoreConfig.embedded(new MemoryStore()),
        KeySpace.random(),
        new GatewayOptions(Optional.empty(), Optional.empty()),
        client);
  }

  /** A gateway with counters in Redis. */
  static TestGateway on(RedisCounters redis, String rules, String url) {
    UpstreamSettings upstream = UpstreamSettings.of("up", List.of(ServerAddress.parse(url)));
    return new TestGateway(
        rules,
        FREE_PORTS,
        redis.config(),
        redis.keys(),
        new GatewayOptions(Optional.of(upstream), Optional.empty()),
        plain());
  }

  int port() {
    return server.port();
  }

  /** The outcome of the warm-up, if there was one. */
  Optional<Driver.Outcome> warmUp() {
    return server.warmUp();
  }

  URI uri(String target) {
    return URI.create(scheme + "://127.0.0.1:" + port() + target);
  }

  HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(uri(target)).timeout(Duration.ofSeconds(60));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> get(String target) {
    return send(request(target));
  }

  /** The page of metrics. */
  String metrics() {
    URI page = URI.create(scheme + "://127.0.0.1:" + server.adminPort() + "/metrics");
    return send(HttpRequest.newBuilder(page)).body();
  }

  /** Waits until so many requests are in flight. */
  void awaitInFlight(int requests) {
    Await.until(
        requests + " in flight",
        Duration.ofSeconds(60),
        () -> metrics().contains("weir_gateway_in_flight " + requests + "\n"));
  }

  /** Replaces the rules, and waits until they are active. */
  void reload(String text) {
    try {
      Files.writeString(rulesFile, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    rules.poll();
    now.updateAndGet(time -> time.plusSeconds(1));
    rules.poll();
  }

  @Override
  public void close() {
    server.close();
    rules.close();
    try {
      Files.deleteIfExists(rulesFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
