package dev.weir.cli.command;

import dev.weir.cli.terminal.Json;
import dev.weir.http.address.Ip;
import dev.weir.http.request.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request built from command line arguments; nothing is sent.
 *
 * @param authority the host; null if the arguments name none
 * @param headers the values of each header, by case-insensitive name
 * @param peer the address of the connection
 */
public record SyntheticRequest(
    String method,
    String target,
    @Nullable String authority,
    Map<String, List<String>> headers,
    String peer)
    implements HttpRequest {

  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~A-Za-z0-9-]+");
  private static final Pattern TARGET = Pattern.compile("/\\S*|https?://\\S+|\\*");

  /**
   * Creates a request from a request line.
   *
   * @param line {@code POST /login}, optionally followed by {@code HTTP/1.1}, as in a copied line
   * @param fields header fields, each {@code Name: value}
   * @param host overrides a {@code Host} among the fields; null for none
   * @throws IllegalArgumentException if an argument is malformed
   */
  public static SyntheticRequest of(
      String line, List<String> fields, @Nullable String host, String peer) {
    String[] words = line.strip().split("\\s+", -1);
    boolean copied = words.length == 3 && words[2].startsWith("HTTP/");
    if ((words.length != 2 && !copied)
        || !TOKEN.matcher(words[0]).matches()
        || !TARGET.matcher(words[1]).matches()) {
      throw Flag.invalid("--request", line, "a method and a path, such as 'POST /login'");
    }
    return of("--request", words[0], "--request", words[1], fields, host, peer);
  }

  /**
   * Creates a request from a method and a target.
   *
   * @param methodArgument the argument that error messages name for the method
   * @param targetArgument the argument that error messages name for the target
   * @throws IllegalArgumentException if an argument is malformed
   */
  public static SyntheticRequest of(
      String methodArgument,
      String method,
      String targetArgument,
      String target,
      List<String> fields,
      @Nullable String host,
      String peer) {
    if (!TOKEN.matcher(method).matches()) {
      throw Flag.invalid(methodArgument, method, "a method, such as GET");
    }
    if (!TARGET.matcher(target).matches()) {
      throw Flag.invalid(targetArgument, target, "a path, such as /login");
    }
    Map<String, List<String>> headers = headers(fields);
    List<String> hosts = headers.getOrDefault("host", List.of());
    String joined = String.join(", ", Set.copyOf(hosts)); // several hosts make an invalid one
    String authority = host != null ? host : hosts.isEmpty() ? null : joined;
    Ip address = Ip.parse(peer);
    if (address == null) {
      throw Flag.invalid("--peer", peer, "an IP address, such as 192.0.2.1 or 2001:db8::1");
    }
    return new SyntheticRequest(method, target, authority, headers, address.toString());
  }

  /** Percent-encodes a target for the wire: every byte of its UTF-8 form that is not ASCII. */
  public static String ascii(String target) {
    StringBuilder out = new StringBuilder(target.length());
    for (byte b : target.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b <= '~') {
        out.append((char) b);
      } else {
        out.append(String.format("%%%02X", b & 0xFF));
      }
    }
    return out.toString();
  }

  private static Map<String, List<String>> headers(List<String> fields) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String field : fields) {
      int colon = field.indexOf(':');
      String name = colon < 0 ? "" : field.substring(0, colon);
      String value = field.substring(colon + 1).strip();
      if (!TOKEN.matcher(name).matches()) {
        throw Flag.invalid(
            "--header", field, "a name, a colon and a value, such as 'X-API-Key: k'");
      }
      // No server passes such a value on, so an explanation of it would mean nothing.
      if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7F)) {
        throw Flag.invalid("--header", field, "a value without control characters");
      }
      headers.computeIfAbsent(name, absent -> new ArrayList<>()).add(value);
    }
    return headers;
  }

  /**
   * Parses {@code name=value} arguments into descriptor entries, by the names that rules use.
   *
   * @throws IllegalArgumentException if an argument is malformed or repeats a name
   */
  public static Map<String, String> entries(List<String> arguments) {
    Map<String, String> entries = new TreeMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 1) {
        throw Flag.invalid("--entry", argument, "a name and a value, such as tenant=acme");
      }
      String name = "entry " + argument.substring(0, equals);
      if (entries.put(name, argument.substring(equals + 1)) != null) {
        throw Flag.invalid("--entry", argument, "each name once");
      }
    }
    return entries;
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  /** The request as the administration port of a server takes it. */
  public Map<String, @Nullable Object> json() {
    List<String> fields = new ArrayList<>();
    headers.forEach(
        (name, values) -> {
          if (!name.equalsIgnoreCase("host")) {
            values.forEach(value -> fields.add(name + ": " + value));
          }
        });
    if (authority != null) {
      fields.add("Host: " + authority);
    }
    return Json.object("method", method, "target", target, "headers", fields, "peer", peer);
  }
}
