package dev.weir.server;

import dev.weir.Store;
import dev.weir.domain.DomainBook;
import dev.weir.guard.GuardSettings;
import dev.weir.guard.Places;
import dev.weir.guard.Roster;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.yaml.LiveRules;
import dev.weir.yaml.RuleFiles;
import dev.weir.yaml.RulesLoader;
import dev.weir.yaml.RulesRefused;
import dev.weir.yaml.RulesWatch;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server on free ports with the rules of a test, and a client that asks it. */
final class Served implements AutoCloseable {
  static final String SECRET = "a secret of more than thirty-two bytes";

  /** With it counters may be changed on every port of the servers here, unless they say other. */
  static final String OPERATIONS = "operations-of-the-tests";

  final Path rulesFile;
  final RulesWatch watch;
  final WeirServer server;
  final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(60))
          .build();

  private Served(
      String rules,
      ServerSettings settings,
      StoreInUse store,
      Function<LiveRules, DomainBook> domains) {
    this(
        rules,
        settings,
        store,
        domains,
        InstantSource.system(),
        () -> false,
        OPERATIONS,
        KeySpace.random());
  }

  private Served(
      String rules,
      ServerSettings settings,
      StoreInUse store,
      Function<LiveRules, DomainBook> domains,
      InstantSource clock,
      BooleanSupplier stop,
      @Nullable String operations,
      KeySpace keys) {
    try {
      rulesFile = Files.createTempFile("rules", ".yaml");
      Files.writeString(rulesFile, rules);
      RulesLoader loader = new RulesLoader(keys, Map.of("JWT_SECRET", SECRET));
      watch = new RulesWatch(RuleFiles.at(rulesFile), loader, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RulesRefused e) {
      throw new IllegalArgumentException(e);
    }
    server =
        WeirServer.start(
            settings.withOperationsToken(operations),
            watch,
            store,
            new Domains(domains, keys),
            host(stop));
  }

  private static HostProcess host(BooleanSupplier stop) {
    return new HostProcess() {
      @Override
      public boolean isStopping() {
        return stop.getAsBoolean();
      }

      @Override
      public void onFatal(String why) {
        throw new AssertionError(why);
      }
    };
  }

  private static ServerSettings onFreePorts(ServerSettings settings) {
    return settings.withPorts(0, Math.min(0, settings.grpc().port()), 0);
  }

  private static StoreInUse inUse(Store store) {
    return store instanceof MemoryStore memory
        ? StoreInUse.embedded(memory)
        : elsewhere(store, Optional.empty());
  }

  private static StoreInUse elsewhere(Store store, Optional<Roster> roster) {
    return new StoreInUse(
        "elsewhere",
        store,
        new MemoryStore(),
        roster,
        Places.ONE,
        GuardSettings.DEFAULT.withDeadline(Duration.ofSeconds(10)),
        () -> 7,
        List::of);
  }

  /** On Redis, as a server of its own would be. */
  static Served on(String rules, RedisStore redis, String address) {
    StoreInUse inUse =
        new StoreInUse(
            "redis",
            address,
            redis,
            new MemoryStore(),
            Optional.of(redis.roster()),
            redis.places(),
            GuardSettings.DEFAULT.withDeadline(Duration.ofSeconds(2)),
            redis::calls,
            List::of);
    return new Served(
        rules, onFreePorts(ServerSettings.DEFAULT), inUse, live -> live.rules().domains());
  }

  /** One of those on a list. */
  static Served among(Roster roster, String rules, Store store) {
    return new Served(
        rules,
        onFreePorts(ServerSettings.DEFAULT),
        elsewhere(store, Optional.of(roster)),
        live -> live.rules().domains());
  }

  /**
   * Where rules and tokens go by another clock. On one that stands still no token waits too long to
   * be verified, however busy the machine is.
   */
  static Served at(String rules, InstantSource clock) {
    return at(rules, clock, new MemoryStore());
  }

  static Served at(String rules, InstantSource clock, Store store) {
    return new Served(
        rules,
        onFreePorts(ServerSettings.DEFAULT),
        inUse(store),
        live -> live.rules().domains(),
        clock,
        () -> false,
        OPERATIONS,
        KeySpace.random());
  }

  /** One of those who have a secret for keys, and each a store of its own. */
  static Served sharing(KeySpace keys, String rules) {
    return new Served(
        rules,
        onFreePorts(ServerSettings.DEFAULT),
        inUse(new MemoryStore()),
        live -> DomainBook.EMPTY,
        InstantSource.system(),
        () -> false,
        OPERATIONS,
        keys);
  }

  static Served with(String rules) {
    return with(rules, ServerSettings.DEFAULT);
  }

  /** As a server is that was given nothing but its rules. */
  static Served open(String rules) {
    return open(rules, DomainBook.EMPTY);
  }

  static Served open(String rules, DomainBook domains) {
    return new Served(
        rules,
        onFreePorts(ServerSettings.DEFAULT),
        inUse(new MemoryStore()),
        live -> domains,
        InstantSource.system(),
        () -> false,
        null,
        KeySpace.random());
  }

  static Served with(String rules, ServerSettings settings) {
    return with(rules, settings, new MemoryStore());
  }

  static Served with(String rules, ServerSettings settings, Store store) {
    return onItsPorts(rules, onFreePorts(settings), store);
  }

  /** The same on the very ports of the settings. */
  static Served onItsPorts(String rules, ServerSettings settings, Store store) {
    return onItsPorts(rules, settings, store, () -> false);
  }

  /**
   * The same for one that may have to stop before it is ready.
   *
   * @param stop whether it is to
   */
  static Served onItsPorts(
      String rules, ServerSettings settings, Store store, BooleanSupplier stop) {
    return new Served(
        rules,
        settings,
        inUse(store),
        live -> live.rules().domains(),
        InstantSource.system(),
        stop,
        OPERATIONS,
        KeySpace.random());
  }

  static Served with(String rules, ServerSettings settings, Store store, DomainBook domains) {
    return new Served(rules, onFreePorts(settings), inUse(store), live -> domains);
  }

  /** With domains from the file itself. */
  static Served configured(String file, ServerSettings settings, Store store) {
    return new Served(file, onFreePorts(settings), inUse(store), live -> live.rules().domains());
  }

  URI uri(String pathAndQuery) {
    return URI.create("http://127.0.0.1:" + server.port() + pathAndQuery);
  }

  /** The headers in which a gateway tells a request for a path, and others. */
  static String[] told(String path, String... more) {
    List<String> headers =
        new ArrayList<>(
            List.of("X-Forwarded-Method", "GET", "X-Forwarded-Uri", path, "X-Forwarded-Host", "h"));
    headers.addAll(List.of(more));
    return headers.toArray(String[]::new);
  }

  HttpResponse<String> get(String pathAndQuery, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(pathAndQuery));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  /** Asks whether a request for a path may pass. */
  HttpResponse<String> check(String path) {
    return get("/v1/check" + path);
  }

  /** The values of such a request, for a program that asks. */
  static String values(String path) {
    return "{\"values\": {\"path\": \"" + path + "\"}}";
  }

  HttpResponse<String> post(String path, String body) {
    return postWith(
        path, body, "Content-Type", "application/json", "Authorization", "Bearer " + OPERATIONS);
  }

  /** A POST with these headers, and no others of ours. */
  HttpResponse<String> postWith(String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  /** A decision, as JSON. */
  JsonObject decide(String body) {
    HttpResponse<String> response = post("/v1/decide", body);
    if (response.statusCode() != 200) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return new JsonObject(response.body());
  }

  HttpResponse<String> admin(String method, String path, String body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
    all.addAll(List.of(headers));
    return adminWith(method, path, body, all.toArray(String[]::new));
  }

  /** The same with these headers, and no others of ours. */
  HttpResponse<String> adminWith(String method, String path, String body, String... headers) {
    URI uri = URI.create("http://127.0.0.1:" + server.adminPort() + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request.build());
  }

  HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    watch.close();
    try {
      Files.deleteIfExists(rulesFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
