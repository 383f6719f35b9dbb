package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.Ticker;
import dev.weir.redis.RedisSettings.Kind;
import dev.weir.redis.RedisSettings.Node;
import dev.weir.redis.RedisSettings.Tls;
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

/** Opens the way to Redis, and makes sure at once that it can be used. */
final class Connector {
  private static final Pattern VERSION =
      Pattern.compile("(?m)^(redis|valkey)_version:(\\d+)\\.(\\d+)");

  /** What Lettuce says now and then where Redis said what is wrong, such as the password. */
  private static final Set<String> VAGUE =
      Set.of("Connection closed prematurely", "RedisHandshakeHandler not registered");

  private static final int ATTEMPTS = 4;
  private static final Duration START = Duration.ofSeconds(5);
  private static final Duration HANDSHAKE = Duration.ofSeconds(2);
  private static final Duration MAX_OFTEN = Duration.ofMillis(10);
  private static final Duration LEAST_OFTEN = Duration.ofMillis(500);

  /** A counter kept by another clock must not vanish by the clock of Redis. */
  private static final long KEPT_MILLIS_BY_TICKER = Duration.ofHours(6).toMillis();

  private Connector() {}

  /**
   * @param ticker the time to count by, or null for that of Redis
   * @param near about what time it is, to tell Redis which calendar windows are near
   * @param continuations where callers go on
   */
  static RedisStore connect(
      RedisSettings settings, @Nullable Ticker ticker, Ticker near, Executor continuations) {
    RedisSettings used = ticker == null ? settings : settings.keeping(KEPT_MILLIS_BY_TICKER);
    Link link = link(used, 1);
    RedisStore store = new RedisStore(link, used, ticker, near, continuations);
    try {
      checkVersion(link, settings);
      store.tryOut(START);
      return store;
    } catch (StoreFailure e) {
      store.close();
      String why = line(e.getMessage()).replaceFirst("^Redis refused: ", "");
      throw new RedisUnusable("Redis at " + settings + ": " + why, e);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static Link link(RedisSettings settings, int attempt) {
    try {
      return settings.kind() == Kind.CLUSTER ? cluster(settings) : direct(settings);
    } catch (RedisException | IllegalStateException e) { // the latter without a native library
      String reason = reason(e);
      if (VAGUE.contains(reason) && attempt < ATTEMPTS) {
        return link(settings, attempt + 1);
      }
      throw new RedisUnusable("Redis at " + settings + ": " + reason, e);
    }
  }

  /** A server that is back is found within half a second; by itself Lettuce would wait for 30. */
  private static ClientResources resources(Set<Executor> loops) {
    return ClientResources.builder()
        .nettyCustomizer(
            new NettyCustomizer() {
              @Override
              public void afterChannelInitialized(Channel channel) {
                loops.add(channel.eventLoop());
              }
            })
        .reconnectDelay(Delay.exponential(MAX_OFTEN, LEAST_OFTEN, 2, TimeUnit.MILLISECONDS))
        .build();
  }

  private static Link direct(RedisSettings settings) {
    ClientOptions options = options(ClientOptions.builder(), settings).build();
    Set<Executor> loops = ConcurrentHashMap.newKeySet();
    RedisClient client = RedisClient.create(resources(loops));
    client.setOptions(options);
    try {
      return new DirectLink(client, uri(settings), loops);
    } catch (RuntimeException e) {
      Link.shutdown(client);
      throw e;
    }
  }

  private static Link cluster(RedisSettings settings) {
    List<RedisURI> uris = new ArrayList<>();
    for (Node node : settings.nodes()) {
      uris.add(signed(RedisURI.builder().withHost(node.host()).withPort(node.port()), settings));
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
    Set<Executor> loops = ConcurrentHashMap.newKeySet();
    RedisClusterClient client = RedisClusterClient.create(resources(loops), uris);
    client.setOptions(options);
    try {
      return new ClusterLink(client, new Keys(settings.prefix()), loops, HANDSHAKE);
    } catch (RuntimeException e) {
      Link.shutdown(client);
      throw e;
    }
  }

  /** What Lettuce does by itself is made for caches: it waits long, and sends again. */
  private static ClientOptions.Builder options(
      ClientOptions.Builder builder, RedisSettings settings) {
    builder
        .autoReconnect(true)
        .replayFilter(Connector::turnAway)
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
   * Nothing is sent late. Lettuce asks about a command that finds the connection gone between two
   * looks, and would drop it without a word.
   */
  private static boolean turnAway(RedisCommand<?, ?, ?> command) {
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
      return signed(RedisURI.Builder.socket(settings.socket().toString()), settings);
    }
    Node first = settings.nodes().get(0);
    if (settings.kind() != Kind.SENTINEL) {
      return signed(RedisURI.builder().withHost(first.host()).withPort(first.port()), settings);
    }
    RedisURI.Builder builder = RedisURI.builder();
    builder.withSentinelMasterId(settings.master());
    for (Node node : settings.nodes()) {
      RedisURI.Builder asked = RedisURI.builder().withHost(node.host()).withPort(node.port());
      login(asked, settings.sentinelUser(), settings.sentinelPassword());
      RedisURI sentinel = asked.withTimeout(HANDSHAKE).build();
      if (settings.tls() != null) {
        sentinel.setSsl(true);
        sentinel.setVerifyPeer(mode(settings.tls().verify()));
      }
      builder.withSentinel(sentinel);
    }
    return signed(builder, settings);
  }

  private static void login(
      RedisURI.Builder builder, @Nullable String user, @Nullable String password) {
    if (password != null && user != null) {
      builder.withAuthentication(user, password.toCharArray());
    } else if (password != null) {
      builder.withPassword(password.toCharArray());
    }
  }

  private static RedisURI signed(RedisURI.Builder builder, RedisSettings settings) {
    login(builder, settings.user(), settings.password());
    RedisURI uri = builder.withDatabase(settings.database()).withTimeout(HANDSHAKE).build();
    if (settings.tls() != null) {
      uri.setSsl(true);
      uri.setVerifyPeer(mode(settings.tls().verify()));
    }
    uri.setClientName("weir");
    return uri;
  }

  /** Not everybody may ask how old it is; what matters then is whether the script runs. */
  private static void checkVersion(Link link, RedisSettings settings) {
    String info;
    try {
      info = link.commands().info("server").get(START.toMillis(), TimeUnit.MILLISECONDS);
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

  /** Whether a reason says nothing of what is wrong. */
  static boolean isVague(String reason) {
    return VAGUE.contains(reason);
  }

  /** The innermost message: the outer ones only say that something failed. */
  static String reason(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null && innermost.getCause() != innermost) {
      innermost = innermost.getCause();
    }
    String message = innermost.getMessage();
    if (message == null || message.isBlank()) {
      return innermost.getClass().getSimpleName();
    }
    if (message.startsWith("NOAUTH")) {
      return "NOAUTH, it wants a password (expected: one in the URL, user:password@ or :password@)";
    }
    // Of a cluster, a line for each server it was asked of: "\t[redis://…]: the reason".
    List<String> lines = message.strip().lines().toList();
    return lines
        .get(lines.size() - 1)
        .replaceFirst("^\\s*\\[redis[^\\]]*]: ", "")
        .replaceFirst("^\\S+ failed with error\\(-?\\d+\\): ", ""); // of the native transport
  }

  private static String line(@Nullable String message) {
    return String.valueOf(message).strip().replaceAll("\\s*[\r\n]+\\s*", " ");
  }

  private static SslVerifyMode mode(RedisSettings.Verify verify) {
    return switch (verify) {
      case FULL -> SslVerifyMode.FULL;
      case CA -> SslVerifyMode.CA;
      case NONE -> SslVerifyMode.NONE;
    };
  }
}
