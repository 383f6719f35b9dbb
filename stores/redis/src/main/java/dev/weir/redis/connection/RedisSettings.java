package dev.weir.redis.connection;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The address of Redis and how the store uses it. {@link #parse} reads settings from a URL.
 *
 * <p>Immutable and thread-safe.
 *
 * @param kind one server, a master found through Sentinel, or a cluster
 * @param nodes the addresses to connect to first: the server, some Sentinels, or some cluster nodes
 * @param socket a Unix domain socket instead of addresses
 * @param master the name of the master in the configuration of the Sentinels
 * @param user the ACL user; null for the default user
 * @param password the password of the user; null for none
 * @param sentinelUser the ACL user of the Sentinels, which have users of their own
 * @param sentinelPassword the password of the Sentinels; null for none
 * @param database the number of the database
 * @param tls the TLS settings; null for an unencrypted connection
 * @param deadline the time in which each request is answered, with a failure if need be
 * @param connectTimeout the time in which a connection must be established
 * @param queue the maximum number of requests that wait for one node
 * @param batch the maximum number of requests in a batch
 * @param inFlight the maximum number of batches in flight to one node
 * @param prefix the first characters of every key
 * @param extraTtlMillis how long a counter is kept after it is as if never used
 */
public record RedisSettings(
    Kind kind,
    List<Node> nodes,
    @Nullable Path socket,
    @Nullable String master,
    @Nullable String user,
    @Nullable String password,
    @Nullable String sentinelUser,
    @Nullable String sentinelPassword,
    int database,
    @Nullable Tls tls,
    Duration deadline,
    Duration connectTimeout,
    int queue,
    int batch,
    int inFlight,
    String prefix,
    long extraTtlMillis) {

  static final int MAX_QUEUE = 1_000_000;
  static final int MAX_IN_FLIGHT = 16;
  static final Duration MIN_DEADLINE = Duration.ofMillis(1);
  static final Duration MAX_DEADLINE = Duration.ofSeconds(60);

  /** A script returns two numbers for each request, and at most a few thousand in all. */
  static final int MAX_BATCH = 1_000;

  /** The topology of the servers. */
  public enum Kind {
    /** One server. */
    STANDALONE,
    /** One master with replicas, found through Sentinels. */
    SENTINEL,
    /** Several masters that share the slots. */
    CLUSTER
  }

  /** The address of a server; {@link #toString} puts IPv6 addresses in brackets. */
  public record Node(String host, int port) {
    @Override
    public String toString() {
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
  }

  /**
   * TLS settings.
   *
   * @param ca a PEM file with the trusted CA certificates; null for those that Java trusts
   * @param certificate a PEM file with the client certificate; null for none
   * @param key a PEM file with the private key of that certificate
   * @param verify how the certificate of the server is verified
   */
  public record Tls(
      @Nullable Path ca, @Nullable Path certificate, @Nullable Path key, Verify verify) {

    /** Reads the files once, to check that they can be used. */
    void check() {
      if (ca != null) {
        var unused = ClientKey.certificates("ca", ca);
      }
      if (certificate != null && key != null) {
        var unused = ClientKey.keyManagers(certificate, key);
      }
    }
  }

  /** How the certificate of the server is verified. */
  public enum Verify {
    /** It must be signed by a trusted CA and issued for the host. */
    FULL,
    /** It must be signed by a trusted CA; any host will do. */
    CA,
    /** It is not verified: any server that answers receives the password. */
    NONE
  }

  /**
   * Validates the numbers.
   *
   * @throws IllegalArgumentException with the name of the setting and the expected range
   */
  public RedisSettings {
    nodes = List.copyOf(nodes);
    requireRange("queue", queue, 1, MAX_QUEUE);
    requireRange("batch", batch, 1, MAX_BATCH);
    requireRange("in-flight", inFlight, 1, MAX_IN_FLIGHT);
    if (deadline.compareTo(MIN_DEADLINE) < 0 || deadline.compareTo(MAX_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "deadline: %s (expected: between %dms and %dms)"
              .formatted(deadline, MIN_DEADLINE.toMillis(), MAX_DEADLINE.toMillis()));
    }
  }

  private static void requireRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      String expected = "between " + min + " and " + max;
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }

  /**
   * Settings from a URL, such as {@code redis://user:password@localhost:6379/0?deadline=25ms}.
   *
   * @throws IllegalArgumentException if the URL is invalid; the message never contains the password
   */
  public static RedisSettings parse(String url) {
    return new RedisUrl(url).settings();
  }

  /**
   * Reads the TLS files once, to check that they can be used: unlike a failure of Redis, an invalid
   * file does not mend itself, so waiting is useless.
   *
   * @throws IllegalArgumentException with {@code ca}, {@code cert} or {@code key}, the file and
   *     what was expected
   */
  public void checkFiles() {
    if (tls != null) {
      tls.check();
    }
  }

  /** How long after its deadline a reply is awaited before the connection is closed. */
  public Duration lateReplyTimeout() {
    return deadline.multipliedBy(10).plusMillis(250);
  }

  /** A copy with another extra time to live, for counters on a clock other than that of Redis. */
  public RedisSettings withExtraTtlMillis(long millis) {
    return with(deadline, millis);
  }

  /**
   * A copy with another deadline.
   *
   * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 60 s
   */
  public RedisSettings withDeadline(Duration other) {
    return with(other, extraTtlMillis);
  }

  private RedisSettings with(Duration otherDeadline, long otherExtraTtlMillis) {
    return new RedisSettings(
        kind,
        nodes,
        socket,
        master,
        user,
        password,
        sentinelUser,
        sentinelPassword,
        database,
        tls,
        otherDeadline,
        connectTimeout,
        queue,
        batch,
        inFlight,
        prefix,
        otherExtraTtlMillis);
  }

  /** The address, such as {@code 10.0.0.1:6379}; several are separated by commas; or a socket. */
  public String address() {
    return socket == null
        ? String.join(",", nodes.stream().map(Node::toString).toList())
        : socket.toString();
  }

  /** The kind and address, without credentials. */
  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + address();
  }
}
