package dev.weir.server.xds;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a management server is, and how to speak with it.
 *
 * @param node by which the server knows us
 * @param metadata what else it may want to know
 * @param headers sent along when a stream begins, such as a token
 * @param tls null for none
 * @param maxMessageBytes the largest message that is read
 * @param forceStart whether to listen before the first configuration has come
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

  /** What a server has that nobody gave a name. */
  public static final String DEFAULT_NODE = "default";

  public static final int DEFAULT_MESSAGE_BYTES = 4 << 20;
  public static final int MAX_MESSAGE_BYTES = 64 << 20;
  private static final int LEAST_MESSAGE_BYTES = 1 << 10;
  private static final int MAX_ENTRIES = 50;
  private static final int MAX_CHARACTERS = 4_096;
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]/@\\s]+):(\\d{1,5})");
  private static final Pattern HEADER_NAME = Pattern.compile("(?!grpc-)[0-9a-z_.-]{1,100}");
  private static final Pattern HEADER_VALUE = Pattern.compile("[ -~]*");

  /**
   * When to try again.
   *
   * @param connect how long after a failure, for as long as no configuration has come at all
   * @param initial how long after the first failure of others
   * @param max the longest wait
   * @param jitter the share by which each wait is shorter or longer, at random
   * @param silence how often to ask for a sign of life, without which the server counts as lost;
   *     many hang up on who asks more often than every five minutes
   */
  public record Retries(
      Duration connect, Duration initial, Duration max, double jitter, Duration silence) {
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofHours(1);

    /** 3 s at the start; later 10 s, doubled up to a minute; half as long more or less. */
    public static final Retries DEFAULT =
        new Retries(
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            0.5,
            Duration.ofSeconds(330));

    public Retries {
      check("connect retry", connect, LEAST, MOST);
      check("initial backoff", initial, LEAST, MOST);
      check("max backoff", max, initial, MOST);
      check("silence", silence, LEAST, MOST);
      if (!(jitter >= 0 && jitter <= 1)) {
        throw refused("backoff jitter", String.valueOf(jitter), "between 0 and 1");
      }
    }

    private static void check(String field, Duration value, Duration least, Duration most) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        String expected = "between " + told(least) + " and " + told(most);
        throw refused(field, told(value), expected);
      }
    }

    private static String told(Duration time) {
      return time.toMillis() % 1_000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
  }

  public XdsSettings {
    if (host.isEmpty() || port < 1 || port > 65_535) {
      throw refused("xds", host + ":" + port, "HOST:PORT, with a port between 1 and 65535");
    }
    if (node.isEmpty() || node.length() > MAX_CHARACTERS) {
      String value = node.isEmpty() ? "nothing" : node.length() + " characters";
      throw refused("node", value, "between 1 and " + MAX_CHARACTERS + " characters");
    }
    if (maxMessageBytes < LEAST_MESSAGE_BYTES || maxMessageBytes > MAX_MESSAGE_BYTES) {
      String expected = "between " + LEAST_MESSAGE_BYTES + " and " + MAX_MESSAGE_BYTES + " bytes";
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

  /** A value may be a secret, and is not told. */
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
            throw refused("header", name + " with a value that is not told", "ASCII in it");
          }
          checked.put(lower, value);
        });
    return Map.copyOf(checked);
  }

  /** A server at HOST:PORT, with everything else as usual. */
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
   * The same of another server.
   *
   * @throws IllegalArgumentException if it is no address
   */
  public XdsSettings withAddress(String other) {
    XdsSettings there = at(other);
    return new XdsSettings(
        there.host, there.port, node, metadata, headers, tls, maxMessageBytes, retries, forceStart);
  }

  public XdsSettings withNode(String id, Map<String, String> told) {
    return new XdsSettings(
        host, port, id, told, headers, tls, maxMessageBytes, retries, forceStart);
  }

  public XdsSettings withHeaders(Map<String, String> sent) {
    return new XdsSettings(
        host, port, node, metadata, sent, tls, maxMessageBytes, retries, forceStart);
  }

  public XdsSettings withTls(XdsTls files) {
    return new XdsSettings(
        host, port, node, metadata, headers, files, maxMessageBytes, retries, forceStart);
  }

  public XdsSettings withMaxMessageBytes(int most) {
    return new XdsSettings(host, port, node, metadata, headers, tls, most, retries, forceStart);
  }

  public XdsSettings withRetries(Retries other) {
    return new XdsSettings(
        host, port, node, metadata, headers, tls, maxMessageBytes, other, forceStart);
  }

  public XdsSettings withForceStart(boolean force) {
    return new XdsSettings(
        host, port, node, metadata, headers, tls, maxMessageBytes, retries, force);
  }

  /** As people write it. */
  public String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  private static IllegalArgumentException refused(String field, String value, String expected) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
  }
}
