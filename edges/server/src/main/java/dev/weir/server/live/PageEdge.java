package dev.weir.server.live;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The dashboard: one page with its styles and scripts, all of them resources of this program.
 * Programs that do not ask for HTML get the list of endpoints instead. Immutable, thread-safe.
 */
public final class PageEdge {
  /** The path of everything that the page loads begins so. */
  public static final String FOLDER = "/dashboard/";

  private static final String PAGE = "GET /";

  /**
   * Nothing from elsewhere, nothing inline, in no frame; and no script may turn a text into
   * elements of the page, so that no name of a rule or a caller can become one.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private static final List<String> STYLES =
      List.of(
          "base.css",
          "chart.css",
          "controls.css",
          "dashboard.css",
          "explain.css",
          "health.css",
          "lists-narrow.css",
          "lists.css");
  private static final List<String> SCRIPTS =
      List.of(
          "action-form.js",
          "actions.js",
          "api.js",
          "callers.js",
          "candidates.js",
          "chart-data.js",
          "chart.js",
          "curl.js",
          "dashboard.js",
          "decisions.js",
          "dom.js",
          "events.js",
          "explain.js",
          "explanation.js",
          "format.js",
          "health.js",
          "request.js",
          "rules.js",
          "session.js",
          "stream.js",
          "theme.js");

  private record Resource(String type, Buffer body) {
    static Resource of(String type, String name) {
      try (InputStream in = PageEdge.class.getResourceAsStream(name)) {
        byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
        return new Resource(type + "; charset=utf-8", Buffer.buffer(bytes));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final Map<String, Resource> resources;

  /** Reads the resources. */
  public PageEdge() {
    Map<String, Resource> all = new HashMap<>();
    all.put(PAGE, Resource.of("text/html", "dashboard.html"));
    STYLES.forEach(name -> all.put("GET " + FOLDER + name, Resource.of("text/css", name)));
    SCRIPTS.forEach(name -> all.put("GET " + FOLDER + name, Resource.of("text/javascript", name)));
    this.resources = Map.copyOf(all);
  }

  /** Whether a route is one of these pages for this client. */
  public boolean serves(String route, HttpServerRequest request) {
    return resources.containsKey(route) && (!route.equals(PAGE) || wantsHtml(request));
  }

  /** Answers a request that it {@linkplain #serves serves}. */
  public void handle(String route, HttpServerRequest request) {
    Resource resource = Objects.requireNonNull(resources.get(route));
    var unused =
        request
            .response()
            .putHeader("Content-Type", resource.type)
            .putHeader("Content-Security-Policy", POLICY)
            .putHeader("Cache-Control", "no-cache")
            .putHeader("Vary", "Accept")
            .end(resource.body);
  }

  private static boolean wantsHtml(HttpServerRequest request) {
    String accept = request.getHeader("Accept");
    return accept != null && accept.contains("text/html");
  }
}
