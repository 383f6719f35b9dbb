package dev.weir.load.traffic;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request of a mix. <code>{caller}</code> in path, header values and body stands for the caller's
 * name.
 *
 * @param weight how often it is sent, compared with the weights of the others
 * @param method its method
 * @param path its path, with the query
 * @param headers its headers, besides Host and Content-Length
 * @param body its body; empty for none
 */
public record RequestSpec(
    int weight, String method, String path, Map<String, String> headers, String body) {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

  /**
   * Copies the headers.
   *
   * @throws IllegalArgumentException if a part would not be a request of HTTP
   */
  public RequestSpec {
    headers = new LinkedHashMap<>(headers);
    expect(weight >= 1, "weight", String.valueOf(weight), "at least 1");
    expect(method.matches(TOKEN), "method", method, "a method such as GET");
    expect(path.matches("/[!-~]*"), "path", path, "a path in ASCII that begins with /");
    headers.forEach(
        (name, value) -> {
          expect(name.matches(TOKEN), "header", name, "a header name");
          expect(value.matches("[ -~\t]*"), name, value, "a value in ASCII, on one line");
        });
  }

  private static void expect(boolean holds, String field, String value, String expected) {
    if (!holds) {
      String shown = value.isEmpty() ? "nothing" : value;
      throw new IllegalArgumentException(field + ": " + shown + " (expected: " + expected + ")");
    }
  }

  /** A GET request. */
  public static RequestSpec get(String path) {
    return new RequestSpec(1, "GET", path, Map.of(), "");
  }
}
