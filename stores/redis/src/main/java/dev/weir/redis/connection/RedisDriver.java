package dev.weir.redis.connection;

import io.lettuce.core.AbstractRedisClient;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How connections to Redis are made: on threads of their own or on those of an existing Lettuce
 * client, with the credentials of the URL or with those of a supplier.
 *
 * <p>Immutable and thread-safe.
 */
public final class RedisDriver {
  private static final RedisDriver OWN = new RedisDriver(null, null);

  private final @Nullable AbstractRedisClient existing;
  private final @Nullable Supplier<RedisCredentials> credentials;

  private RedisDriver(
      @Nullable AbstractRedisClient existing, @Nullable Supplier<RedisCredentials> credentials) {
    this.existing = existing;
    this.credentials = credentials;
  }

  /** A driver with threads of its own, which end when the store is closed. */
  public static RedisDriver own() {
    return OWN;
  }

  /**
   * A driver on the resources of an existing client: its threads, timer, address resolvers, latency
   * recorder and event bus, and its TLS options if the URL names no files.
   *
   * <p>The store opens a connection of its own with options of its own: those of the client are
   * made for other purposes, and may send a command again after a reconnect, which would charge a
   * request twice. The store never closes the client or its resources. Close the store before the
   * client. A listener that blocks the threads of the client delays the store too.
   */
  public static RedisDriver sharing(AbstractRedisClient client) {
    return new RedisDriver(Objects.requireNonNull(client, "client"), null);
  }

  /**
   * The same driver with credentials that may change, such as rotated passwords or tokens that
   * expire. The URL must have none then.
   *
   * @param supplier called when the store connects and then before every connection, which in a
   *     cluster is every other second: let it cache what is expensive. It may block; one call runs
   *     at a time, on a thread of its own. If a later call throws, or takes longer than a second,
   *     the last credentials are used
   */
  public RedisDriver credentials(Supplier<RedisCredentials> supplier) {
    return new RedisDriver(existing, Objects.requireNonNull(supplier, "supplier"));
  }

  /** The client whose resources are shared; null for resources of its own. */
  @Nullable AbstractRedisClient existing() {
    return existing;
  }

  /** Supplies credentials; null for those of the URL. */
  @Nullable Supplier<RedisCredentials> credentials() {
    return credentials;
  }
}
