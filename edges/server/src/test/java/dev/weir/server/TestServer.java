package dev.weir.server;

import dev.weir.Store;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.rules.ActiveRules;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.store.StoreConfig;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.Shards;
import dev.weir.shared.fleet.Roster;
import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server on free ports with the rules of a test, and a client for it. */
public final class TestServer extends ServerCalls implements AutoCloseable {
  static final String SECRET = "a secret of more than thirty-two bytes";

  final Path rulesFile;
  final RulesFileWatcher watch;
  public final WeirServer server;

  private TestServer(Setup setup) {
    try {
      rulesFile = Files.createTempFile("rules", ".yaml");
      Files.writeString(rulesFile, setup.rules);
      RulesLoader loader = new RulesLoader(setup.keys, Map.of("JWT_SECRET", SECRET));
      watch = new RulesFileWatcher(RuleFiles.at(rulesFile), loader, setup.clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RulesRejected e) {
      throw new IllegalArgumentException(e);
    }
    server =
        WeirServer.start(
            setup.settings.withOperationsToken(setup.operations),
            new RulesWithDomains(watch, setup.domains),
            setup.store,
            setup.keys,
            null,
            host(setup.stop),
            setup.clock);
  }

  /** What to start; the fields have the usual values until a factory method changes them. */
  private static final class Setup {
    final String rules;
    ServerSettings settings = onFreePorts(ServerSettings.DEFAULT);
    StoreConfig store = config(new MemoryStore());
    Function<RulesSnapshot, DomainBook> domains = live -> live.rules().domains();
    InstantSource clock = InstantSource.system();
    BooleanSupplier stop = () -> false;
    @Nullable String operations = OPERATIONS;
    KeySpace keys = KeySpace.random();

    Setup(String rules) {
      this.rules = rules;
    }
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

  private static StoreConfig config(Store store) {
    return store instanceof MemoryStore memory
        ? StoreConfig.embedded(memory)
        : remote(store, Optional.empty());
  }

  private static StoreConfig remote(Store store, Optional<Roster> roster) {
    return new StoreConfig(
        "elsewhere",
        store,
        new MemoryStore(),
        roster,
        Shards.ONE,
        GuardSettings.DEFAULT.withDeadline(Duration.ofSeconds(10)),
        () -> 7,
        List::of);
  }

  /** A server on Redis, like one of its own process. */
  public static TestServer on(String rules, RedisStore redis, String address) {
    return on(rules, ServerSettings.DEFAULT, redis, address);
  }

  static TestServer on(String rules, ServerSettings settings, RedisStore redis, String address) {
    return on(rules, settings, redis, address, KeySpace.random());
  }

  /** The same with the keys of the other servers on this Redis. */
  static TestServer on(
      String rules, ServerSettings settings, RedisStore redis, String address, KeySpace keys) {
    Setup setup = new Setup(rules);
    setup.settings = onFreePorts(settings);
    setup.keys = keys;
    setup.store = config(redis, address);
    return new TestServer(setup);
  }

  /** A server on Redis whose dashboard uses another clock. */
  static TestServer on(String rules, InstantSource clock, RedisStore redis, String address) {
    Setup setup = new Setup(rules);
    setup.clock = clock;
    setup.store = config(redis, address);
    return new TestServer(setup);
  }

  private static StoreConfig config(RedisStore redis, String address) {
    return new StoreConfig(
        "redis",
        address,
        redis,
        new MemoryStore(),
        Optional.of(redis.roster()),
        redis.shards(),
        GuardSettings.DEFAULT.withDeadline(Duration.ofSeconds(2)),
        redis::calls,
        redis.memory(),
        List::of,
        redis.tables());
  }

  /** A server of a fleet with this roster. */
  static TestServer among(Roster roster, String rules, Store store) {
    Setup setup = new Setup(rules);
    setup.store = remote(store, Optional.of(roster));
    return new TestServer(setup);
  }

  /** A server whose sessions and audit log use another clock. */
  static TestServer with(String rules, ServerSettings settings, InstantSource clock) {
    Setup setup = new Setup(rules);
    setup.settings = onFreePorts(settings);
    setup.clock = clock;
    return new TestServer(setup);
  }

  /**
   * A server whose rules and tokens use another clock. On a fixed clock no token waits too long for
   * verification, however busy the machine is.
   */
  static TestServer at(String rules, InstantSource clock) {
    return at(rules, clock, new MemoryStore());
  }

  static TestServer at(String rules, InstantSource clock, Store store) {
    Setup setup = new Setup(rules);
    setup.clock = clock;
    setup.store = config(store);
    return new TestServer(setup);
  }

  /** A server that shares the key secret with others, with a store of its own. */
  public static TestServer sharing(KeySpace keys, String rules) {
    Setup setup = new Setup(rules);
    setup.domains = live -> DomainBook.EMPTY;
    setup.keys = keys;
    return new TestServer(setup);
  }

  public static TestServer with(String rules) {
    return with(rules, ServerSettings.DEFAULT);
  }

  /** A server with default settings: nothing is configured but its rules. */
  public static TestServer open(String rules) {
    return open(rules, DomainBook.EMPTY);
  }

  static TestServer open(String rules, DomainBook domains) {
    Setup setup = new Setup(rules);
    setup.domains = live -> domains;
    setup.operations = null;
    return new TestServer(setup);
  }

  static TestServer with(String rules, ServerSettings settings) {
    return with(rules, settings, new MemoryStore());
  }

  static TestServer with(String rules, ServerSettings settings, Store store) {
    return onItsPorts(rules, onFreePorts(settings), store);
  }

  /** A server on the ports of the settings. */
  static TestServer onItsPorts(String rules, ServerSettings settings, Store store) {
    return onItsPorts(rules, settings, store, () -> false);
  }

  /**
   * A server on the ports of the settings that may have to stop before it is ready.
   *
   * @param stop whether it is to stop
   */
  static TestServer onItsPorts(
      String rules, ServerSettings settings, Store store, BooleanSupplier stop) {
    Setup setup = new Setup(rules);
    setup.settings = settings;
    setup.store = config(store);
    setup.stop = stop;
    return new TestServer(setup);
  }

  static TestServer with(String rules, ServerSettings settings, Store store, DomainBook domains) {
    Setup setup = new Setup(rules);
    setup.settings = onFreePorts(settings);
    setup.store = config(store);
    setup.domains = live -> domains;
    return new TestServer(setup);
  }

  /** A server with domains from the rules file itself. */
  static TestServer configured(String file, ServerSettings settings, Store store) {
    return with(file, settings, store);
  }

  /** Changes the rules file, and returns once it was read: the rules are active, or refused. */
  void rewrite(String rules) {
    ActiveRules.Status before = watch.status();
    try {
      Files.writeString(rulesFile, rules);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until(
        "the rules file is read",
        Duration.ofSeconds(60),
        () -> {
          watch.poll();
          return !watch.status().equals(before);
        });
  }

  @Override
  int port() {
    return server.port();
  }

  @Override
  int adminPort() {
    return server.adminPort();
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
