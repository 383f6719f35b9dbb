package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.Repository;
import dev.weir.testkit.redis.RedisServer;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters that are configured as in {@code web.xml}, without a line of Java. */
@Timeout(120)
class InitParametersTest {
  @TempDir private Path folder = Path.of("");
  private Path rules = Path.of("");

  @BeforeEach
  void write() throws Exception {
    rules =
        Files.writeString(
            Files.createDirectory(folder.resolve("WEB-INF")).resolve("rules.yaml"),
            "rules: [{name: one, limit: 1/hour}]\n");
  }

  private static Consumer<ServletContext> configured(Map<String, String> parameters) {
    return context -> {
      register(context, "weir", parameters);
      Applications.serveOk(context);
    };
  }

  private static void register(
      ServletContext context, String name, Map<String, String> parameters) {
    FilterRegistration.Dynamic filter = context.addFilter(name, WeirFilter.class);
    filter.setInitParameters(parameters);
    Applications.register(filter);
  }

  /** A URL may contain a password, which must not get into the log. */
  @Test
  void wrongUrlIsNotQuoted() {
    Map<String, String> parameters =
        Map.of("rules", rules.toString(), "store-url", "redis://:hush-hush@host:99999999");
    assertThatThrownBy(() -> Container.JETTY.start(folder, configured(parameters)))
        .hasStackTraceContaining("init parameter store-url: ")
        .satisfies(e -> assertThat(trace(e)).doesNotContain("hush-hush"));
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** Tomcat logs why an application does not start, and Jetty throws it. */
  private void assertRejected(String message, Consumer<ServletContext> application) {
    assertThatThrownBy(() -> Container.JETTY.start(folder, application))
        .hasStackTraceContaining(message);
    assertThatThrownBy(() -> Container.TOMCAT.start(folder, application))
        .hasMessage("the application has not started");
  }

  @ParameterizedTest
  @EnumSource
  void rulesFileAloneIsEnough(Container container) throws Exception {
    try (RunningServer server =
        container.start(folder, configured(Map.of("rules", rules.toString())))) {
      assertThat(server.status("/")).isEqualTo(200);
      assertThat(server.status("/")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @EnumSource
  void allParametersHaveTheirEffect(Container container) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> all =
          Map.of(
              "rules", rules.toString(),
              "store-url", redis.url() + "?deadline=30s",
              "store-required", "true",
              "include", "/api/**, /login",
              "exclude", "/api/health\n /api/ready",
              "headers", "ietf,retry_after",
              "body", "plain",
              "status", "420");
      try (RunningServer server = container.start(folder, configured(all));
          RunningServer other = container.start(folder, configured(all))) {
        assertThat(server.status("/")).isEqualTo(200);
        assertThat(server.status("/login")).isEqualTo(200);
        HttpResponse<String> denied = other.get("/api/x");
        assertThat(denied.statusCode()).isEqualTo(420);
        assertThat(denied.body()).startsWith("{\"error\":\"rate_limit_exceeded\"");
        assertThat(denied.headers().map())
            .containsKeys("ratelimit", "retry-after")
            .doesNotContainKey("x-ratelimit-limit");
        assertThat(server.status("/api/health")).isEqualTo(200);
        assertThat(server.status("/api/ready")).isEqualTo(200);
      }
    }
  }

  /** The one of docs/servlet.md, as printed. */
  @Test
  void descriptorOfTheApplicationIsRead() throws Exception {
    String page = Files.readString(Repository.path("docs/servlet.md"));
    int from = page.indexOf("<web-app");
    String descriptor = page.substring(from, page.indexOf("```", from));
    Files.writeString(folder.resolve("WEB-INF/web.xml"), descriptor);
    Files.writeString(folder.resolve("index.txt"), "hello");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addWebapp("", folder.toString());
    try (RunningServer server = Container.started(tomcat, context)) {
      assertThat(server.get("/index.txt").body()).isEqualTo("hello");
      assertThat(server.status("/index.txt")).isEqualTo(429);
    }
  }

  @Test
  void missingRulesAreNamedWithTheRemedy() {
    assertRejected(
        "filter weir: init parameter rules: missing (expected: the path of a rules file, as in"
            + " <init-param><param-name>rules</param-name>",
        configured(Map.of()));
  }

  @Test
  void fileThatCannotBeReadIsNamed() {
    assertRejected(
        "filter weir: init parameter rules: absent.yaml (expected: a rules file that can be read",
        configured(Map.of("rules", "absent.yaml")));
    assertRejected(
        "filter weir: init parameter rules: /WEB-INF/absent.yaml (expected: a rules file",
        configured(Map.of("rules", "/WEB-INF/absent.yaml")));
  }

  @Test
  void wrongRulesAreReportedWithTheirLine() throws Exception {
    Files.writeString(rules, "rules: [{name: one, limit: 0/hour}]\n");
    assertRejected("rules.yaml:1:", configured(Map.of("rules", rules.toString())));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "store-url | http://redis | filter weir: init parameter store-url: scheme: http (expected:",
        "store-required | yes | init parameter store-required: yes (expected: true or false)",
        "store-required | true | store-required: true (expected: only together with store-url)",
        "include | api | filter weir: init parameter include: path: api (expected: a path that",
        "exclude | /x/ | filter weir: init parameter exclude: path: /x/ (expected: /x, since",
        "headers | all | headers: all (expected: one of x_ratelimit, ietf, retry_after, or none",
        "headers | none,ietf | headers: none (expected: one of x_ratelimit",
        "body | html | init parameter body: html (expected: one of problem, plain, none)",
        "status | 200 | init parameter status: 200 (expected: a number from 400 to 599)",
        "status | many | init parameter status: many (expected: a number from 400 to 599)",
        "ruels | x | init parameter ruels (expected: one of rules, store-url, "
      })
  void wrongParametersAreNamed(String name, String value, String message) {
    assertRejected(message, configured(Map.of("rules", rules.toString(), name, value)));
  }

  @Test
  void sameRulesInTwoFiltersAreRejected() {
    Map<String, String> parameters = Map.of("rules", rules.toString());
    assertRejected(
        "has these rules already: add a filter-mapping to that one",
        context -> {
          register(context, "first", parameters);
          register(context, "second", parameters);
          Applications.serveOk(context);
        });
  }

  @Test
  void applicationCanBeStartedAgain() throws Exception {
    for (int i = 0; i < 2; i++) {
      try (RunningServer server =
          Container.JETTY.start(folder, configured(Map.of("rules", rules.toString())))) {
        assertThat(server.status("/")).isEqualTo(200);
      }
    }
  }

  @Test
  void redisThatMustBeThereStopsTheStart() {
    try (RedisServer redis = RedisServer.start()) {
      redis.kill();
      String file = rules.toString();
      assertRejected(
          "Connection refused",
          configured(Map.of("rules", file, "store-url", redis.url(), "store-required", "true")));
    }
  }
}
