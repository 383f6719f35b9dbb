package dev.weir.redis.connection;

import dev.weir.redis.connection.RedisSettings.Kind;
import dev.weir.redis.connection.RedisSettings.Node;
import dev.weir.redis.connection.RedisSettings.Tls;
import dev.weir.redis.script.RedisKeys;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Connects to Redis with options that suit a store: short waits, and nothing sent twice. */
public final class Connector {
  private static final Pattern VERSION =
      Pattern.compile("(?m)^(redis|valkey)_version:(\\d+)\\.(\\d+)");

  private static final int MAX_ATTEMPTS = 4;
  private static final Duration INFO_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(2);

  private final RedisSettings settings;
  private final RedisDriver driver;
  private final @Nullable CredentialsSource credentials;

  private Connector(
      RedisSettings settings, RedisDriver driver, @Nullable CredentialsSource credentials) {
    this.settings = settings;
    this.driver = driver;
    this.credentials = credentials;
  }

  /**
   * Connects to Redis.
   *
   * @throws IllegalArgumentException if both the settings and the driver have credentials
   * @throws RedisUnusable if that is not possible
   */
  public static Link connect(RedisSettings settings, RedisDriver driver) {
    return new Connector(settings, driver, credentials(settings, driver)).connect(1);
  }

  private static @Nullable CredentialsSource credentials(
      RedisSettings settings, RedisDriver driver) {
    Supplier<RedisCredentials> supplier = driver.credentials();
    if (supplier == null) {
      return null;
    }
    if (settings.password() != null) {
      throw new IllegalArgumentException(
          "credentials: in the URL and by a supplier (expected: one of them)");
    }
    try {
      return new CredentialsSource(supplier);
    } catch (RuntimeException e) {
      throw new RedisUnusable("Redis at " + settings + ": credentials: " + ErrorText.reason(e), e);
    }
  }

  private Link connect(int attempt) {
    try {
      return settings.kind() == Kind.CLUSTER ? cluster() : direct();
    } catch (RedisException e) {
      String reason = ErrorText.reason(e);
      if (ErrorText.isVague(reason) && attempt < MAX_ATTEMPTS) {
        return connect(attempt + 1);
      }
      throw RedisUnusable.because("Redis at " + settings + ": " + reason, e);
    } catch (IllegalStateException e) { // a native library is missing
      throw new RedisUnusable("Redis at " + settings + ": " + ErrorText.reason(e), e);
    }
  }

  private ClientResources resources(Set<Executor> eventLoops) {
    return DriverResources.of(
        driver.existing(),
        channel -> {
          eventLoops.add(channel.eventLoop());
          if (credentials != null) {
            channel.pipeline().addFirst(credentials.handler());
          }
        });
  }

  private Link direct() {
    ClientOptions options = options(ClientOptions.builder()).build();
    Set<Executor> eventLoops = ConcurrentHashMap.newKeySet();
    RedisClient client = RedisClient.create(resources(eventLoops));
    client.setOptions(options);
    try {
      return new DirectLink(client, uri(), eventLoops);
    } catch (RuntimeException e) {
      Link.shutdown(client);
      throw e;
    }
  }

  private Link cluster() {
    List<RedisURI> uris = new ArrayList<>();
    for (Node node : settings.nodes()) {
      uris.add(authenticated(RedisURI.builder().withHost(node.host()).withPort(node.port())));
    }
    ClusterTopologyRefreshOptions refresh =
        ClusterTopologyRefreshOptions.builder()
            .adaptiveRefreshTriggersTimeout(Duration.ofMillis(200))
            .refreshTriggersReconnectAttempts(1)
            .enablePeriodicRefresh(Duration.ofSeconds(2))
            .build();
    ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
    options(builder);
    ClusterClientOptions options = builder.topologyRefreshOptions(refresh).maxRedirects(5).build();
    Set<Executor> eventLoops = ConcurrentHashMap.newKeySet();
    RedisClusterClient client = RedisClusterClient.create(resources(eventLoops), uris);
    client.setOptions(options);
    try {
      RedisKeys keys = new RedisKeys(settings.prefix());
      return new ClusterLink(client, keys, eventLoops, HANDSHAKE_TIMEOUT);
    } catch (RuntimeException e) {
      Link.shutdown(client);
      throw e;
    }
  }

  /** The defaults of Lettuce suit caches: it waits long, and sends commands again. */
  private ClientOptions.Builder options(ClientOptions.Builder builder) {
    builder
        .autoReconnect(true)
        .replayFilter(Connector::rejectUnsent)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(1_000 + settings.batch() * settings.inFlight())
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .socketOptions(
            SocketOptions.builder()
                .connectTimeout(settings.connectTimeout())
                .keepAlive(true)
                .build());
    Tls tls = settings.tls();
    if (tls != null) {
      builder.sslOptions(ssl(tls, driver.existing()));
    }
    return builder;
  }

  /**
   * Fails a command instead of sending it late. Lettuce consults this filter for a command that
   * finds the connection gone between two checks, and would drop it silently.
   */
  private static boolean rejectUnsent(RedisCommand<?, ?, ?> command) {
    command.completeExceptionally(new RedisConnectionException("not connected"));
    return true;
  }

  private static SslOptions ssl(Tls tls, @Nullable AbstractRedisClient existing) {
    if (existing != null && tls.ca() == null && tls.certificate() == null) {
      return existing.getOptions().getSslOptions();
    }
    SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
    try {
      tls.check();
      if (tls.ca() != null) {
        options.trustManager(tls.ca().toFile());
      }
      if (tls.certificate() != null && tls.key() != null) {
        options.keyManager(ClientKey.keyManagers(tls.certificate(), tls.key()));
      }
      return options.build();
    } catch (IllegalArgumentException e) {
      throw new RedisUnusable(String.valueOf(e.getMessage()), e);
    }
  }

  private RedisURI uri() {
    if (settings.socket() != null) {
      return authenticated(RedisURI.Builder.socket(settings.socket().toString()));
    }
    Node first = settings.nodes().get(0);
    if (settings.kind() != Kind.SENTINEL) {
      return authenticated(RedisURI.builder().withHost(first.host()).withPort(first.port()));
    }
    RedisURI.Builder builder = RedisURI.builder();
    builder.withSentinelMasterId(settings.master());
    for (Node node : settings.nodes()) {
      RedisURI.Builder one = RedisURI.builder().withHost(node.host()).withPort(node.port());
      setCredentials(one, settings.sentinelUser(), settings.sentinelPassword());
      RedisURI sentinel = one.withTimeout(HANDSHAKE_TIMEOUT).build();
      if (settings.tls() != null) {
        sentinel.setSsl(true);
        sentinel.setVerifyPeer(verifyMode(settings.tls().verify()));
      }
      builder.withSentinel(sentinel);
    }
    return authenticated(builder);
  }

  private static void setCredentials(
      RedisURI.Builder builder, @Nullable String user, @Nullable String password) {
    if (password != null && user != null) {
      builder.withAuthentication(user, password.toCharArray());
    } else if (password != null) {
      builder.withPassword(password.toCharArray());
    }
  }

  private RedisURI authenticated(RedisURI.Builder builder) {
    setCredentials(builder, settings.user(), settings.password());
    RedisURI uri = builder.withDatabase(settings.database()).withTimeout(HANDSHAKE_TIMEOUT).build();
    if (settings.tls() != null) {
      uri.setSsl(true);
      uri.setVerifyPeer(verifyMode(settings.tls().verify()));
    }
    if (credentials != null) {
      uri.setCredentialsProvider(credentials);
    }
    uri.setClientName("weir");
    return uri;
  }

  /**
   * Checks that Redis is 6.2 or newer. A user who may not call INFO passes: what matters then is
   * whether the scripts run.
   *
   * @throws RedisUnusable if Redis is too old, or the thread is interrupted
   */
  public static void checkVersion(Link link, RedisSettings settings) {
    String info;
    try {
      info = link.commands().info("server").get(INFO_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RedisUnusable("interrupted", e);
    }
    Matcher version = VERSION.matcher(info);
    if (version.find() && version.group(1).equals("redis")) {
      int major = Integer.parseInt(version.group(2));
      int minor = Integer.parseInt(version.group(3));
      if (major < 6 || (major == 6 && minor < 2)) {
        throw new RedisUnusable(
            "Redis at %s: version %d.%d (expected: 6.2 or newer)"
                .formatted(settings, major, minor));
      }
    }
  }

  private static SslVerifyMode verifyMode(RedisSettings.Verify verify) {
    return switch (verify) {
      case FULL -> SslVerifyMode.FULL;
      case CA -> SslVerifyMode.CA;
      case NONE -> SslVerifyMode.NONE;
    };
  }
}
