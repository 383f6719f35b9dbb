package dev.weir.cli.doctor.plan;

import java.util.List;
import java.util.Locale;

/**
 * What the user gives for all requests.
 *
 * @param host the Host header, unless a rule needs another
 * @param headers fields in the form {@code Name: value}, such as credentials
 * @param paths that exist behind the gateway
 */
public record RequestTemplate(String host, List<String> headers, List<String> paths) {
  /** Copies the lists. */
  public RequestTemplate {
    headers = List.copyOf(headers);
    paths = List.copyOf(paths);
  }

  /** Whether the user gives a header of this name. */
  boolean has(String name) {
    String start = name.toLowerCase(Locale.ROOT) + ":";
    return headers.stream().anyMatch(header -> header.toLowerCase(Locale.ROOT).startsWith(start));
  }
}
