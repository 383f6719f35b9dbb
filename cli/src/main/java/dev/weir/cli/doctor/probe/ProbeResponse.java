package dev.weir.cli.doctor.probe;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The status and the headers of a response.
 *
 * @param headers by their names in lower case; of a repeated one, the values with commas
 */
public record ProbeResponse(int status, Map<String, String> headers) {
  private static final List<String> LIMIT_HEADERS =
      List.of("ratelimit", "ratelimit-limit", "x-ratelimit-limit", "ratelimit-policy");

  /** Copies the headers. */
  public ProbeResponse {
    headers = Map.copyOf(headers);
  }

  /**
   * Parses the head of a response; empty if it is not HTTP/1.
   *
   * @param lines without their ends
   */
  static Optional<ProbeResponse> parse(List<String> lines) {
    if (lines.isEmpty() || !lines.get(0).matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      return Optional.empty();
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
        headers.merge(name, line.substring(colon + 1).strip(), (one, two) -> one + ", " + two);
      }
    }
    return Optional.of(new ProbeResponse(Integer.parseInt(lines.get(0).substring(9, 12)), headers));
  }

  /** Whether the gateway or the application failed, which says nothing about limits. */
  public boolean isFailure() {
    return status >= 502 && status <= 504 && !isDenied();
  }

  /** Whether the limiter denied the request. */
  public boolean isDenied() {
    boolean marked = headers.containsKey("retry-after") || hasLimitHeaders();
    return status == 429 || ((status == 403 || status == 503) && marked);
  }

  /** Whether the application served the request: a redirect or an error proves nothing. */
  public boolean isServed() {
    return status / 100 == 2;
  }

  /** Whether a header states a limit. */
  public boolean hasLimitHeaders() {
    return LIMIT_HEADERS.stream().anyMatch(headers::containsKey);
  }

  /** The policies that the response names; empty if it names none. */
  public Optional<String> policies() {
    return Optional.ofNullable(headers.get("ratelimit-policy"));
  }
}
