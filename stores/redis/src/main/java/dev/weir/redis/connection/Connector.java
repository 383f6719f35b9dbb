package dev.weir.redis.connection;

import dev.weir.redis.connection.RedisSettings.Kind;
import dev.weir.redis.connection.RedisSettings.Node;
import dev.weir.redis.connection.RedisSettings.Tls;
import dev.weir.redis.script.RedisKeys;
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
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private static final Duration MIN_RECONNECT_DELAY = Duration.ofMillis(10);
  private static final Duration MAX_RECONNECT_DELAY = Duration.ofMillis(500);

  private Connector() {}

  /**
   * Connects to Redis.
   *
   * @throws RedisUnusable if that is not possible
   */
  public static Link connect(RedisSettings settings) {
    return connect(settings, 1);
  }

  private static Link connect(RedisSettings settings, int attempt) {
    try {
      return settings.kind() == Kind.CLUSTER ? cluster(settings) : direct(settings);
    } catch (RedisException e) {
      String reason = ErrorText.reason(e);
      if (ErrorText.isVague(reason) && attempt < MAX_ATTEMPTS) {
        return connect(settings, attempt + 1);
      }
      throw RedisUnusable.because("Redis at " + settings + ": " + reason, e);
    } catch (IllegalStateException e) { // a native library is missing
      throw new RedisUnusable("Redis at " + settings + ": " + ErrorText.reason(e), e);
    }
  }

  /** Finds a returning server within half a second; the default of Lettuce is 30 seconds. */
  private static ClientResources resources(Set<Executor> eventLoops) {
    return ClientResources.builder()
        .nettyCustomizer(
            new NettyCustomizer() {
              @Override
              public void afterChannelInitialized(Channel channel) {
                eventLoops.add(channel.eventLoop());
              }
            })
        .reconnectDelay(
            Delay.exponential(MIN_RECONNECT_DELAY, MAX_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
        .build();
  }

  private static Link direct(RedisSettings settings) {
    ClientOptions options = options(ClientOptions.builder(), settings).build();
    Set<Executor> eventLoops = ConcurrentHashMap.newKeySet();
    RedisClient client = RedisClient.create(resources(eventLoops));
    client.setOptions(options);
    try {
      return new DirectLink(client, uri(settings), eventLoops);
    } catch (RuntimeException e) {
      Link.shutdown(client);
      throw e;
    }
  }

  private static Link cluster(RedisSettings settings) {
    List<RedisURI> uris = new ArrayList<>();
    for (Node node : settings.nodes()) {
      uris.add(
          authenticated(RedisURI.builder().withHost(node.host()).withPort(node.port()), settings));
    }
    ClusterTopologyRefreshOptions refresh =
        ClusterTopologyRefreshOptions.builder()
            .adaptiveRefreshTriggersTimeout(Duration.ofMillis(200))
            .refreshTriggersReconnectAttempts(1)
            .enablePeriodicRefresh(Duration.ofSeconds(2))
            .build();
    ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
    options(builder, settings);
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
  private static ClientOptions.Builder options(
      ClientOptions.Builder builder, RedisSettings settings) {
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
      builder.sslOptions(ssl(tls));
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

  private static SslOptions ssl(Tls tls) {
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

  private static RedisURI uri(RedisSettings settings) {
    if (settings.socket() != null) {
      return authenticated(RedisURI.Builder.socket(settings.socket().toString()), settings);
    }
    Node first = settings.nodes().get(0);
    if (settings.kind() != Kind.SENTINEL) {
      return authenticated(
          RedisURI.builder().withHost(first.host()).withPort(first.port()), settings);
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
    return authenticated(builder, settings);
  }

  private static void setCredentials(
      RedisURI.Builder builder, @Nullable String user, @Nullable String password) {
    if (password != null && user != null) {
      builder.withAuthentication(user, password.toCharArray());
    } else if (password != null) {
      builder.withPassword(password.toCharArray());
    }
  }

  private static RedisURI authenticated(RedisURI.Builder builder, RedisSettings settings) {
    setCredentials(builder, settings.user(), settings.password());
    RedisURI uri = builder.withDatabase(settings.database()).withTimeout(HANDSHAKE_TIMEOUT).build();
    if (settings.tls() != null) {
      uri.setSsl(true);
      uri.setVerifyPeer(verifyMode(settings.tls().verify()));
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
