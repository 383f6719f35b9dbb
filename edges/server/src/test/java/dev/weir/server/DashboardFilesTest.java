package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the dashboard is made of; no browser is needed to see it. */
class DashboardFilesTest {
  private static final Pattern LOADED =
      Pattern.compile("(?:href|src)=\"(dashboard/[^\"]+)\"|from \"\\./([^\"]+)\"");
  private static final String RULES = "rules:\n  - {name: all, limit: 1000/second}\n";

  private static HttpResponse<String> get(TestServer served, String path) {
    return served.adminWith("GET", path, "", "Accept", "text/html,*/*");
  }

  /** The paths of all that the page loads, and of what those load. */
  private static Set<String> files(TestServer served) {
    Set<String> found = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(Set.of("/"));
    while (!open.isEmpty()) {
      String path = open.remove();
      if (found.add(path)) {
        HttpResponse<String> response = get(served, path);
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        Matcher loaded = LOADED.matcher(response.body());
        while (loaded.find()) {
          open.add(
              loaded.group(1) == null ? "/dashboard/" + loaded.group(2) : "/" + loaded.group(1));
        }
      }
    }
    return found;
  }

  @Test
  void everyFileThatThePageLoadsIsServedUnderThePolicy() {
    try (TestServer served = TestServer.with(RULES)) {
      assertThat(files(served)).hasSizeGreaterThan(20);
      for (String path : files(served)) {
        HttpResponse<String> response = get(served, path);
        assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
            .as(path)
            .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
            .contains("require-trusted-types-for 'script'")
            .doesNotContain("unsafe", "*", "http:");
        assertThat(response.headers().firstValue("X-Frame-Options")).contains("DENY");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-cache");
        String type = response.headers().firstValue("Content-Type").orElseThrow();
        String expected =
            path.endsWith(".js") ? "javascript" : path.endsWith(".css") ? "css" : "html";
        assertThat(type).as(path).startsWith("text/" + expected);
      }
    }
  }

  @Test
  void nothingIsInlineAndNothingIsLoadedFromElsewhere() {
    try (TestServer served = TestServer.with(RULES)) {
      for (String path : files(served)) {
        String text = get(served, path).body();
        assertThat(text)
            .as(path)
            .doesNotContain("<script>", "<style", " style=", "javascript:")
            .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write")
            .doesNotContain("eval(", "new Function", "@import");
        assertThat(
                text.replaceAll("https?://(www\\.w3\\.org/2000/svg|api\\.example\\.com|host)", ""))
            .as(path)
            .doesNotContainPattern("[\"'(](https?:)?//[a-z]");
        assertThat(text).as(path).doesNotContainPattern("<[^>]*\\son[a-z]+=");
        assertThat(text.lines().count()).as(path).isLessThanOrEqualTo(300);
      }
    }
  }

  @Test
  void programsThatDoNotAskForHtmlGetTheListOfEndpoints() {
    try (TestServer served = TestServer.with(RULES)) {
      assertThat(served.adminWith("GET", "/", "").body()).contains("/explain: which rules apply");
      assertThat(served.adminWith("GET", "/", "", "Accept", "*/*").body()).contains("/live: ");
      assertThat(get(served, "/dashboard/nothing.js").statusCode()).isEqualTo(404);
      assertThat(get(served, "/dashboard/../dashboard.js").statusCode()).isEqualTo(404);
    }
  }
}
