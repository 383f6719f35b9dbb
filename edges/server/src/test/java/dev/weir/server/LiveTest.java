package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.admin.AdminEdge;
import dev.weir.server.settings.ServerSettings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is denied right now, as the page and programs learn it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LiveTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: per-key, per: key, limit: 10/hour}
      """;
  private static final int MAX_STREAMS = 20;

  private static void check(TestServer served, int times, String key) {
    for (int i = 0; i < times; i++) {
      served.get("/v1/check/", "X-Key", key);
    }
  }

  private static JsonArray callers(TestServer served, String query) {
    HttpResponse<String> response = served.admin("GET", "/callers" + query, "");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body()).doesNotContain("acme");
    return new JsonObject(response.body()).getJsonArray("callers");
  }

  @Test
  void heaviestCallersAreListedByHash() {
    try (TestServer served = TestServer.with(RULES)) {
      check(served, 15, "acme");
      check(served, 9, "other");
      JsonArray denied = callers(served, "");
      assertThat(denied).hasSize(1);
      JsonObject acme = denied.getJsonObject(0);
      assertThat(acme.getString("rule")).isEqualTo("per-key");
      assertThat(acme.getString("caller")).matches("[0-9a-f]{16}");
      assertThat(acme.getInteger("count")).isEqualTo(5);
      assertThat(acme.getInteger("error")).isZero();
      assertThat(callers(served, "?kind=allowed&window=hour&limit=1"))
          .extracting(one -> ((JsonObject) one).getInteger("count"))
          .containsExactly(10);
      assertThat(callers(served, "?kind=near-limit"))
          .extracting(one -> ((JsonObject) one).getInteger("count"))
          .containsExactly(3, 2); // the last fifth of ten: the eighth to the tenth request
      assertThat(callers(served, "?rule=nothing")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind=all|kind: all (expected: denied, shadow-denied, near-limit or allowed)",
        "window=day|window: day (expected: minute or hour)",
        "limit=0|limit: 0 (expected: a whole number from 1 to 1000)",
        "scope=world|scope: world (expected: fleet or server)",
        "limit=1e9|limit: 1e9 (expected: a whole number from 1 to 1000)",
        "kind=denied&kind=allowed|kind: several (expected: one value)",
        "rules=a|parameter: rules (expected: kind, window, rule, limit, scope)"
      })
  void wrongParametersAreRejected(String query, String expected) {
    try (TestServer served = TestServer.with(RULES)) {
      HttpResponse<String> response = served.admin("GET", "/callers?" + query, "");
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body()).contains(expected);
    }
  }

  @Test
  void eachSecondHasItsNumberAndComesWithThoseBeforeIt() throws Exception {
    try (TestServer served = TestServer.with(RULES);
        LiveStream page = new LiveStream(served)) {
      JsonObject snapshot = page.next("snapshot");
      assertThat(snapshot.getJsonObject("status").getInstant("rulesSince")).isBefore(later());
      long number = snapshot.getLong("second");
      check(served, 15, "acme");
      int denied = 0;
      while (denied < 5) {
        JsonObject second = page.next("second");
        assertThat(second.getLong("second")).isGreaterThan(number);
        number = second.getLong("second");
        JsonArray recent = second.getJsonObject("recent").getJsonArray("denied");
        assertThat(recent).hasSize(10);
        denied = recent.stream().mapToInt(one -> (Integer) one).sum();
      }
      assertThat(denied).isEqualTo(5);
    }
  }

  private static Instant later() {
    return Instant.now().plusSeconds(1);
  }

  @Test
  void streamBeginsWithTheHistoryAndShowsADeniedCaller() throws Exception {
    try (TestServer served = TestServer.with(RULES);
        LiveStream page = new LiveStream(served)) {
      assertThat(page.response.headers().firstValue("content-type")).contains("text/event-stream");
      JsonObject history = page.next("snapshot").getJsonObject("history");
      assertThat(history.getJsonObject("seconds").getJsonArray("denied")).hasSize(900);
      assertThat(history.getJsonObject("minutes").getJsonArray("denied")).hasSize(1_439);
      page.next("second");
      check(served, 15, "acme");
      JsonObject second;
      int denied = 0;
      do {
        second = page.next("second");
        denied += second.getJsonObject("decisions").getInteger("denied");
      } while (second.getJsonArray("callers").isEmpty() || denied < 5);
      assertThat(denied).isEqualTo(5);
      JsonObject acme = second.getJsonArray("callers").getJsonObject(0);
      assertThat(acme.getString("rule")).isEqualTo("per-key");
      JsonObject rule = second.getJsonArray("denials").getJsonObject(0);
      assertThat(rule.getString("rule")).isEqualTo("per-key");
      assertThat(rule.getDouble("perSecond")).isPositive();
      assertThat(second.getJsonArray("utilisation").getJsonObject(0).getInteger("percent"))
          .isEqualTo(100);
      assertThat(second.getJsonObject("status").getBoolean("ready")).isTrue();
    }
  }

  @Test
  void streamEndsWithTheSession() throws Exception {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String session = admin.session(AdminAccess.VIEWER, "ann");
      try (LiveStream page = new LiveStream(admin.served, "Cookie", session)) {
        page.next("second");
        assertThat(admin.post("/logout", "", "Cookie", session).statusCode()).isEqualTo(204);
        String line;
        do {
          line = page.lines.readLine();
        } while (line != null);
      }
      try (LiveStream refused = new LiveStream(admin.served)) {
        assertThat(refused.response.statusCode()).isEqualTo(401);
      }
    }
  }

  @Test
  void streamEndsWithTheServer() throws Exception {
    TestServer served = TestServer.with(RULES);
    try (LiveStream page = new LiveStream(served)) {
      page.next("second");
      served.close();
      page.lines.lines().forEach(line -> assertThat(line).matches("|event: second|data: .*"));
    }
  }

  @Test
  void streamIsNotIdleThoughItsClientSaysNothing() {
    HttpServerOptions options = new HttpServerOptions().setReadIdleTimeout(75);
    AdminEdge.configure(options);
    assertThat(options.getReadIdleTimeout()).isZero();
    assertThat(options.getIdleTimeout()).as("neither reads nor writes").isEqualTo(75);
  }

  @Test
  void streamsAreBoundedAndFreeAgainWhenPagesAreClosed() throws Exception {
    try (TestServer served = TestServer.with(RULES)) {
      List<LiveStream> pages = new ArrayList<>();
      for (int i = 0; i < MAX_STREAMS; i++) {
        LiveStream page = new LiveStream(served);
        assertThat(page.response.statusCode()).isEqualTo(200);
        page.next("second");
        pages.add(page);
      }
      try (LiveStream refused = new LiveStream(served)) {
        assertThat(refused.response.statusCode()).isEqualTo(503);
      }
      pages.get(0).close();
      int status;
      do {
        try (LiveStream next = new LiveStream(served)) {
          status = next.response.statusCode();
        }
      } while (status != 200); // until the server has noticed
      for (LiveStream page : pages) {
        page.close();
      }
    }
  }

  @Test
  void eventsOfActionsAreSent() throws Exception {
    try (TestServer served = TestServer.with(RULES);
        LiveStream page = new LiveStream(served)) {
      page.next("second");
      String action =
          """
          {"action": "multiply", "rule": "per-key", "factor": 2, "for": "1s", "why": "sale"}""";
      assertThat(served.admin("POST", "/actions", action).statusCode()).isEqualTo(201);
      List<String> texts = new ArrayList<>();
      while (texts.size() < 2) {
        for (Object event : page.next("second").getJsonArray("events")) {
          assertThat(((JsonObject) event).getString("kind")).isEqualTo("action");
          texts.add(((JsonObject) event).getString("text"));
        }
      }
      assertThat(texts.get(0)).contains("is in force: multiply per-key by 2", "sale");
      assertThat(texts.get(1)).contains("has ended: multiply per-key by 2");
    }
  }

  @Test
  void eventsOfTheRulesAreSent() throws Exception {
    try (TestServer served = TestServer.with(RULES);
        LiveStream page = new LiveStream(served)) {
      page.next("second");
      served.rewrite("rules: [{name: broken}]");
      JsonArray events;
      do {
        events = page.next("second").getJsonArray("events");
      } while (events.isEmpty());
      assertThat(events.getJsonObject(0).getString("kind")).isEqualTo("rules");
      assertThat(events.getJsonObject(0).getString("level")).isEqualTo("error");
      assertThat(events.getJsonObject(0).getString("text")).contains("broken");
    }
  }

  @Test
  void callersAreRevealedOnlyIfTheServerKeepsWhatIdentifiesThem() {
    try (TestServer served = TestServer.with(RULES)) {
      check(served, 12, "acme");
      JsonObject acme = callers(served, "").getJsonObject(0);
      assertThat(acme.getBoolean("revealable")).isFalse();
      HttpResponse<String> response =
          served.admin("POST", "/callers/reveal", revealed("per-key", acme.getString("caller")));
      assertThat(response.statusCode()).isEqualTo(409);
      assertThat(response.body()).contains("--reveal-callers").doesNotContain("acme");
    }
  }

  private static String revealed(String rule, String caller) {
    return new JsonObject().put("rule", rule).put("caller", caller).encode();
  }

  @Test
  void revealedCallerIsNamedAndTheRevealIsRecorded(@TempDir Path directory) throws IOException {
    Path audit = directory.resolve("audit.log");
    ServerSettings settings = ServerSettings.DEFAULT.withRevealCallers().withAuditLog(audit);
    try (TestServer served = TestServer.with(RULES, settings)) {
      check(served, 12, "acme");
      JsonObject acme = callers(served, "").getJsonObject(0);
      assertThat(acme.getBoolean("revealable")).isTrue();
      HttpResponse<String> response =
          served.admin("POST", "/callers/reveal", revealed("per-key", acme.getString("caller")));
      assertThat(response.body())
          .isEqualTo("{\"identity\":[{\"name\":\"header x-key\",\"value\":\"acme\"}]}");
      HttpResponse<String> unknown =
          served.admin("POST", "/callers/reveal", revealed("per-key", "0123456789abcdef"));
      assertThat(unknown.statusCode()).isEqualTo(404);
      assertThat(Files.readString(audit))
          .contains("\"reveal\"", acme.getString("caller"), "0123456789abcdef")
          .doesNotContain("acme");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense|body: not JSON",
        "[]|body: not an object",
        "{}|rule: null (expected: the name of a rule)",
        "{'rule': 'a'}|caller: null (expected: 16 hexadecimal digits)",
        "{'rule': 'a', 'caller': 'ABCDEF0123456789'}|caller: ABCDEF0123456789 (expected: 16 hex",
        "{'rule': 'a', 'caller': '0', 'more': 1}|field: more (expected: rule, caller)"
      })
  void wrongBodiesAreRejected(String body, String expected) {
    try (TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT.withRevealCallers())) {
      HttpResponse<String> response =
          served.admin("POST", "/callers/reveal", body.replace('\'', '"'));
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body()).contains(expected);
    }
  }
}
