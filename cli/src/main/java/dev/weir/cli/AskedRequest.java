package dev.weir.cli;

import dev.weir.http.HttpRequest;
import dev.weir.http.Ip;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request that nobody sent, put together from arguments. */
record AskedRequest(
    String method,
    String target,
    @Nullable String authority,
    Map<String, List<String>> headers,
    String peer)
    implements HttpRequest {

  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~A-Za-z0-9-]+");
  private static final Pattern TARGET = Pattern.compile("/\\S*|https?://\\S+|\\*");

  /**
   * @param line {@code POST /login}, if need be with the {@code HTTP/1.1} of a copied line
   * @param fields each {@code Name: value}
   * @param host instead of a {@code Host} among the fields
   * @throws IllegalArgumentException if one of them has another form
   */
  static AskedRequest of(String line, List<String> fields, @Nullable String host, String peer) {
    String[] words = line.strip().split("\\s+", -1);
    boolean copied = words.length == 3 && words[2].startsWith("HTTP/");
    if ((words.length != 2 && !copied)
        || !TOKEN.matcher(words[0]).matches()
        || !TARGET.matcher(words[1]).matches()) {
      throw refused("--request", line, "a method and a path, such as 'POST /login'");
    }
    return of("--request", words[0], "--request", words[1], fields, host, peer);
  }

  /** The same from a method and a target, each told by the argument of that name. */
  static AskedRequest of(
      String methodArgument,
      String method,
      String targetArgument,
      String target,
      List<String> fields,
      @Nullable String host,
      String peer) {
    if (!TOKEN.matcher(method).matches()) {
      throw refused(methodArgument, method, "a method, such as GET");
    }
    if (!TARGET.matcher(target).matches()) {
      throw refused(targetArgument, target, "a path, such as /login");
    }
    Map<String, List<String>> headers = headers(fields);
    List<String> hosts = headers.getOrDefault("host", List.of());
    String several = String.join(", ", Set.copyOf(hosts)); // which is none that hosts are called
    String authority = host != null ? host : hosts.isEmpty() ? null : several;
    Ip address = Ip.parse(peer);
    if (address == null) {
      throw refused("--peer", peer, "an IP address, such as 192.0.2.1 or 2001:db8::1");
    }
    return new AskedRequest(method, target, authority, headers, address.toString());
  }

  /** A target as it goes over the wire: what is not ASCII in UTF-8, escaped. */
  static String ascii(String target) {
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
        throw refused("--header", field, "a name, a colon and a value, such as 'X-API-Key: k'");
      }
      // No server would pass such a value on, so what became of it here would mean nothing.
      if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7F)) {
        throw refused("--header", field, "a value without control characters");
      }
      headers.computeIfAbsent(name, absent -> new ArrayList<>()).add(value);
    }
    return headers;
  }

  /** The names and values of {@code name=value} arguments, as rules call them. */
  static Map<String, String> entries(List<String> arguments) {
    Map<String, String> entries = new TreeMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 1) {
        throw refused("--entry", argument, "a name and a value, such as tenant=acme");
      }
      String name = "entry " + argument.substring(0, equals);
      if (entries.put(name, argument.substring(equals + 1)) != null) {
        throw refused("--entry", argument, "each name once");
      }
    }
    return entries;
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  static IllegalArgumentException refused(String option, String value, String expected) {
    return Flag.refused(option, value, expected);
  }
}
