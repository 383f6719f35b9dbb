package dev.weir.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, and how it is used. {@link #parse} reads them from a URL.
 *
 * @param kind one server, servers found through Sentinel, or a cluster
 * @param nodes where to begin: the server, some Sentinels, or some of the cluster
 * @param socket a unix socket instead of those
 * @param master what Sentinels call the master
 * @param user of the access list, if not the default one
 * @param sentinelUser of the Sentinels, who have users of their own
 * @param sentinelPassword what Sentinels want to see, if anything
 * @param tls how to encrypt; null if not at all
 * @param deadline by when each request is answered, with a failure if need be
 * @param queue how many requests may wait for one server
 * @param batch how many requests travel together at most
 * @param inFlight how many batches are on their way to one server at once
 * @param prefix what the names of all keys begin with
 * @param keptMillis how much longer than needed counters are kept
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
    long keptMillis) {

  static final int MAX_QUEUE = 1_000_000;
  static final int MAX_IN_FLIGHT = 16;

  /** A script returns two numbers for each, and can return no more than some thousands. */
  static final int MAX_BATCH = 1_000;

  /** How servers stand together. */
  public enum Kind {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  /** Where a server listens. */
  public record Node(String host, int port) {
    @Override
    public String toString() {
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
  }

  /**
   * How to encrypt.
   *
   * @param ca who is trusted to vouch for servers, in PEM; null for those Java trusts
   * @param certificate what this client shows, in PEM; null for nothing
   * @param key the key of that certificate, in PEM
   * @param verify whether the server must be who it says
   */
  public record Tls(
      @Nullable Path ca, @Nullable Path certificate, @Nullable Path key, Verify verify) {

    /** Reads the files once, to see that they can be used. */
    void check() {
      if (ca != null) {
        var unused = ClientKey.certificates("ca", ca);
      }
      if (certificate != null && key != null) {
        var unused = ClientKey.keyManagers(certificate, key);
      }
    }
  }

  /** How it is asked who the server is. */
  enum Verify {
    /** Its certificate must be of a CA that counts, and for its host. */
    FULL,
    /** For any host. */
    CA,
    /** Not at all: whoever answers gets the password. */
    NONE
  }

  public RedisSettings {
    nodes = List.copyOf(nodes);
    within("queue", queue, 1, MAX_QUEUE);
    within("batch", batch, 1, MAX_BATCH);
    within("in-flight", inFlight, 1, MAX_IN_FLIGHT);
    within("deadline in ms", deadline.toMillis(), 1, 60_000);
  }

  private static void within(String name, long value, long least, long most) {
    if (value < least || value > most) {
      String expected = "between " + least + " and " + most;
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
  }

  /**
   * Settings from a URL, such as {@code redis://user:password@localhost:6379/0?deadline=25ms}.
   *
   * @throws IllegalArgumentException if it makes no sense; the message never has the password
   */
  public static RedisSettings parse(String url) {
    return new RedisUrl(url).settings();
  }

  /**
   * Reads the files that it names once, to see that they can be used: a file that is wrong now will
   * be wrong as long as nobody changes it, whatever becomes of Redis.
   *
   * @throws IllegalArgumentException with {@code ca}, {@code cert} or {@code key}, the file and
   *     what was expected
   */
  public void checkFiles() {
    if (tls != null) {
      tls.check();
    }
  }

  /** How long after its deadline an answer is awaited before the connection is given up. */
  public Duration patience() {
    return deadline.multipliedBy(10).plusMillis(250);
  }

  /** The same, where counters are kept longer: for a clock that is not that of Redis. */
  RedisSettings keeping(long millis) {
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
        deadline,
        connectTimeout,
        queue,
        batch,
        inFlight,
        prefix,
        millis);
  }

  /** Where it is: such as {@code 10.0.0.1:6379}, several with commas between, or a socket. */
  public String address() {
    return socket == null
        ? String.join(",", nodes.stream().map(Node::toString).toList())
        : socket.toString();
  }

  /** Where it is, without what nobody should read. */
  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " " + address();
  }
}
