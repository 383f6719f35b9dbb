package dev.weir.server.xds;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of an xDS management server, and how to connect to it.
 *
 * @param host a host name or IP address
 * @param port between 1 and 65535
 * @param node the node id sent to the server
 * @param metadata the node metadata sent to the server
 * @param headers sent when a stream begins, such as a token
 * @param tls null for none
 * @param maxMessageBytes the maximum size of a response
 * @param retries when to reconnect
 * @param forceStart whether to serve before the first configuration has arrived
 */
public record XdsSettings(
    String host,
    int port,
    String node,
    Map<String, String> metadata,
    Map<String, String> headers,
    @Nullable XdsTls tls,
    int maxMessageBytes,
    Retries retries,
    boolean forceStart) {

  /** The node id of a server without a configured one. */
  public static final String DEFAULT_NODE = "default";

  /** The default of {@link #maxMessageBytes}. */
  public static final int DEFAULT_MESSAGE_BYTES = 4 << 20;

  /** The largest {@link #maxMessageBytes}. */
  public static final int MAX_MESSAGE_BYTES = 64 << 20;

  private static final int MIN_MESSAGE_BYTES = 1 << 10;
  private static final int MAX_ENTRIES = 50;
  private static final int MAX_CHARACTERS = 4_096;
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]/@\\s]+):(\\d{1,5})");
  private static final Pattern HEADER_NAME = Pattern.compile("(?!grpc-)[0-9a-z_.-]{1,100}");
  private static final Pattern HEADER_VALUE = Pattern.compile("[ -~]*");

  /**
   * When to reconnect.
   *
   * @param connect the delay after a failure while no configuration has arrived at all
   * @param initial the delay after the first failure later
   * @param max the maximum delay
   * @param jitter the ratio by which each delay is randomly shorter or longer, between 0 and 1
   * @param silence the interval of keepalive pings, without a response to which the server counts
   *     as lost; many servers disconnect clients that ping more often than every five minutes
   */
  public record Retries(
      Duration connect, Duration initial, Duration max, double jitter, Duration silence) {
    private static final Duration MIN = Duration.ofMillis(1);
    private static final Duration MAX = Duration.ofHours(1);

    /** 3 s at the start; later 10 s, doubled up to a minute; each up to half shorter or longer. */
    public static final Retries DEFAULT =
        new Retries(
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            0.5,
            Duration.ofSeconds(330));

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Retries {
      check("connect retry", connect, MIN, MAX);
      check("initial backoff", initial, MIN, MAX);
      check("max backoff", max, initial, MAX);
      check("silence", silence, MIN, MAX);
      if (!(jitter >= 0 && jitter <= 1)) {
        throw refused("backoff jitter", String.valueOf(jitter), "between 0 and 1");
      }
    }

    private static void check(String field, Duration value, Duration min, Duration max) {
      if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
        String expected = "between " + format(min) + " and " + format(max);
        throw refused(field, format(value), expected);
      }
    }

    private static String format(Duration time) {
      return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
  }

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is not valid; the message never contains a header value
   */
  public XdsSettings {
    if (host.isEmpty() || port < 1 || port > 65_535) {
      throw refused("xds", host + ":" + port, "HOST:PORT, with a port between 1 and 65535");
    }
    if (node.isEmpty() || node.length() > MAX_CHARACTERS) {
      String value = node.isEmpty() ? "nothing" : node.length() + " characters";
      throw refused("node", value, "between 1 and " + MAX_CHARACTERS + " characters");
    }
    if (maxMessageBytes < MIN_MESSAGE_BYTES || maxMessageBytes > MAX_MESSAGE_BYTES) {
      String expected = "between " + MIN_MESSAGE_BYTES + " and " + MAX_MESSAGE_BYTES + " bytes";
      throw refused("message size", String.valueOf(maxMessageBytes), expected);
    }
    checkSizes("node metadata", metadata);
    checkSizes("header", headers);
    metadata = Map.copyOf(metadata);
    headers = checkedHeaders(headers);
  }

  private static void checkSizes(String field, Map<String, String> entries) {
    if (entries.size() > MAX_ENTRIES) {
      throw refused(field, entries.size() + " entries", "at most " + MAX_ENTRIES);
    }
    entries.forEach(
        (name, value) -> {
          if (name.length() + value.length() > MAX_CHARACTERS) {
            String expected = "at most " + MAX_CHARACTERS + " characters";
            throw refused(field, "an entry that is too long", expected);
          }
        });
  }

  /** Checks names and values. A value may be a secret, and is not reported. */
  private static Map<String, String> checkedHeaders(Map<String, String> headers) {
    Map<String, String> checked = new TreeMap<>();
    headers.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!HEADER_NAME.matcher(lower).matches()) {
            String expected = "letters, digits, and _ . -, and not to begin with grpc-";
            throw refused("header", name, expected);
          }
          if (!HEADER_VALUE.matcher(value).matches()) {
            throw refused("header", name + " with a value that is not shown", "only ASCII");
          }
          checked.put(lower, value);
        });
    return Map.copyOf(checked);
  }

  /**
   * Settings with defaults for a server at HOST:PORT.
   *
   * @throws IllegalArgumentException if that is no address
   */
  public static XdsSettings at(String address) {
    Matcher parts = ADDRESS.matcher(address);
    if (!parts.matches()) {
      throw refused("xds", address, "HOST:PORT");
    }
    String host = parts.group(1).replaceAll("[\\[\\]]", "");
    int port = Integer.parseInt(parts.group(2));
    return new XdsSettings(
        host,
        port,
        DEFAULT_NODE,
        Map.of(),
        Map.of(),
        null,
        DEFAULT_MESSAGE_BYTES,
        Retries.DEFAULT,
        false);
  }

  /**
   * These settings with another address.
   *
   * @throws IllegalArgumentException if it is no address
   */
  public XdsSettings withAddress(String other) {
    XdsSettings there = at(other);
    return new XdsSettings(
        there.host, there.port, node, metadata, headers, tls, maxMessageBytes, retries, forceStart);
  }

  /** These settings with another node id and metadata. */
  public XdsSettings withNode(String id, Map<String, String> entries) {
    return new XdsSettings(
        host, port, id, entries, headers, tls, maxMessageBytes, retries, forceStart);
  }

  /** These settings with other headers. */
  public XdsSettings withHeaders(Map<String, String> sent) {
    return new XdsSettings(
        host, port, node, metadata, sent, tls, maxMessageBytes, retries, forceStart);
  }

  /** These settings with TLS. */
  public XdsSettings withTls(XdsTls files) {
    return new XdsSettings(
        host, port, node, metadata, headers, files, maxMessageBytes, retries, forceStart);
  }

  /** These settings with another maximum size of a response. */
  public XdsSettings withMaxMessageBytes(int max) {
    return new XdsSettings(host, port, node, metadata, headers, tls, max, retries, forceStart);
  }

  /** These settings with other delays. */
  public XdsSettings withRetries(Retries other) {
    return new XdsSettings(
        host, port, node, metadata, headers, tls, maxMessageBytes, other, forceStart);
  }

  /** These settings with or without serving before the first configuration. */
  public XdsSettings withForceStart(boolean force) {
    return new XdsSettings(
        host, port, node, metadata, headers, tls, maxMessageBytes, retries, force);
  }

  /** HOST:PORT, with brackets around an IPv6 address. */
  public String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  private static IllegalArgumentException refused(String field, String value, String expected) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
  }
}
