package dev.weir.spring.redis;

import dev.weir.library.Weir;
import dev.weir.library.WeirBuilder;
import dev.weir.redis.connection.RedisCredentials;
import dev.weir.redis.connection.RedisDriver;
import io.lettuce.core.AbstractRedisClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithAuthentication;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis that Spring Data is configured for: its address, its credentials, its TLS and the
 * threads of its client. Weir has a connection of its own; see {@link RedisDriver#sharing}.
 */
public final class SpringRedis {
  private SpringRedis() {}

  /**
   * Begins a Weir on the connection factory of an application.
   *
   * @throws org.springframework.beans.factory.NoSuchBeanDefinitionException if there is none
   * @throws IllegalArgumentException if it is for a Redis that Weir cannot use, such as a master
   *     and replicas at fixed addresses
   */
  public static WeirBuilder builder(BeanFactory beans) {
    return builder(beans.getBean(LettuceConnectionFactory.class));
  }

  static WeirBuilder builder(LettuceConnectionFactory factory) {
    WeirBuilder weir = Weir.redis(url(factory));
    AbstractRedisClient client = factory.getNativeClient();
    if (client != null) {
      weir.driver(RedisDriver.sharing(client));
    }
    WithAuthentication account = account(factory);
    RedisPassword password = account.getPassword();
    if (password.isPresent()) {
      RedisCredentials credentials =
          new RedisCredentials(account.getUsername(), new String(password.get()));
      weir.credentials(() -> credentials);
    }
    return weir;
  }

  private static WithAuthentication account(LettuceConnectionFactory factory) {
    RedisClusterConfiguration cluster = factory.getClusterConfiguration();
    if (cluster != null) {
      return cluster;
    }
    RedisSentinelConfiguration sentinels = factory.getSentinelConfiguration();
    if (sentinels != null) {
      return sentinels;
    }
    RedisSocketConfiguration socket = factory.getSocketConfiguration();
    return socket == null ? factory.getStandaloneConfiguration() : socket;
  }

  static String url(LettuceConnectionFactory factory) {
    String tls = factory.isUseSsl() ? "s" : "";
    RedisClusterConfiguration cluster = factory.getClusterConfiguration();
    if (cluster != null) {
      return "redis" + tls + "-cluster://" + addresses(cluster.getClusterNodes());
    }
    RedisSentinelConfiguration sentinels = factory.getSentinelConfiguration();
    if (sentinels != null) {
      return sentinelUrl(tls, sentinels);
    }
    RedisSocketConfiguration socket = factory.getSocketConfiguration();
    if (socket != null) {
      return "redis-socket://" + socket.getSocket() + "?database=" + socket.getDatabase();
    }
    refuseMasterReplica(factory);
    RedisStandaloneConfiguration one = factory.getStandaloneConfiguration();
    return "redis"
        + tls
        + "://"
        + address(one.getHostName(), one.getPort())
        + "/"
        + one.getDatabase();
  }

  /** The factory has no method that tells; it answers with the default, localhost. */
  private static void refuseMasterReplica(LettuceConnectionFactory factory) {
    DirectFieldAccessor fields = new DirectFieldAccessor(factory);
    if (fields.isReadableProperty("configuration")
        && fields.getPropertyValue("configuration")
            instanceof RedisStaticMasterReplicaConfiguration) {
      throw new IllegalArgumentException(
          "spring.data.redis.masterreplica.nodes: a master and replicas at fixed addresses"
              + " (expected: a single Redis, Sentinel or Cluster)");
    }
  }

  private static String sentinelUrl(String tls, RedisSentinelConfiguration sentinels) {
    RedisNode master = (RedisNode) sentinels.getMaster();
    StringBuilder url = new StringBuilder("redis").append(tls).append("-sentinel://");
    url.append(addresses(sentinels.getSentinels())).append('/').append(sentinels.getDatabase());
    url.append("?master=").append(encoded(master == null ? "" : master.getName()));
    RedisPassword password = sentinels.getSentinelPassword();
    if (password.isPresent()) {
      url.append("&sentinel-password=").append(encoded(new String(password.get())));
      if (sentinels.getSentinelUsername() != null) {
        url.append("&sentinel-user=").append(encoded(sentinels.getSentinelUsername()));
      }
    }
    return url.toString();
  }

  private static String addresses(Collection<RedisNode> nodes) {
    return String.join(
        ",", nodes.stream().map(node -> address(node.getHost(), node.getPort())).toList());
  }

  private static String address(@Nullable String host, @Nullable Integer port) {
    String name = host == null ? "localhost" : host;
    return (name.contains(":") ? "[" + name + "]" : name) + ":" + (port == null ? 6379 : port);
  }

  private static String encoded(@Nullable String text) {
    return URLEncoder.encode(text == null ? "" : text, StandardCharsets.UTF_8);
  }
}
