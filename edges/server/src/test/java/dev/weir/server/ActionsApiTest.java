package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.audit.AuditLog;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code /actions} of one server: what actions do, and where they are shown. */
class ActionsApiTest extends ActionsApiFixture {
  @Test
  void multipliedLimitKeepsItsCountAndIsShown() {
    assertThat(List.of(check("acme"), check("acme"), check("acme"))).containsExactly(200, 200, 429);
    JsonObject action =
        take(
            "{\"action\": \"multiply\", \"rule\": \"each\", \"factor\": \"1.5\", \"for\": \"15m\", "
                + WHY
                + "}");
    assertThat(List.of(check("acme"), check("acme"))).containsExactly(200, 429);

    assertThat(action.getString("factor")).isEqualTo("1.5");
    assertThat(action.getBoolean("inForce")).isTrue();
    assertThat(action.getLong("remainingMillis")).isBetween(800_000L, 900_000L);
    assertThat(action.getJsonObject("taken").getString("address")).isEqualTo("127.0.0.1");
    JsonObject each = rule("each");
    assertThat(each.getJsonArray("limits").getJsonObject(0).getInteger("permits")).isEqualTo(3);
    assertThat(each.getJsonArray("actions").getJsonObject(0).getString("why")).isEqualTo("a test");
    assertThat(rule("site").getJsonArray("actions")).isEmpty();
    assertThat(explained("each", "acme").getJsonArray("actions").getJsonObject(0).getString("id"))
        .isEqualTo(action.getString("id"));

    assertThat(undo(action.getString("id")).statusCode()).isEqualTo(200);
    assertThat(check("acme")).isEqualTo(429);
    assertThat(list()).isEmpty();
    assertThat(undo(action.getString("id")).statusCode()).isEqualTo(404);
  }

  @Test
  void shadowedRuleDeniesNobody() {
    take("{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"1h\", " + WHY + "}");
    assertThat(List.of(check("a"), check("a"), check("a"))).containsExactly(200, 200, 200);
    assertThat(rule("each").getInteger("enforcedPercent")).isZero();
  }

  @Test
  void callerIsBlockedByHashAndExemptedByValues() {
    String hash = explained("each", "acme").getString("callerHash");
    JsonObject block =
        take("{\"action\": \"block\", \"caller\": \"" + hash + "\", \"for\": \"1h\", " + WHY + "}");
    assertThat(check("acme")).isEqualTo(429);
    assertThat(check("other")).isEqualTo(200);
    JsonObject explained = explained("each", "acme");
    assertThat(explained.getBoolean("blocked")).isTrue();
    assertThat(explained.getJsonArray("actions").getJsonObject(0).getString("id"))
        .isEqualTo(block.getString("id"));

    JsonObject exempt =
        take(
            "{\"action\": \"exempt\", \"values\": {\"header x-key\": \"acme\", \"path\": \"/\"},"
                + " \"for\": \"1h\", "
                + WHY
                + "}");
    assertThat(exempt.getString("caller")).isEqualTo(hash);
    assertThat(IntStream.range(0, 5).map(i -> check("acme"))).containsOnly(200);
    assertThat(explained("each", "acme").getBoolean("applies")).isFalse();
    JsonObject superseded = list().getJsonObject(1);
    assertThat(superseded.getString("id")).isEqualTo(block.getString("id"));
    assertThat(superseded.getBoolean("inForce")).isFalse();
    assertThat(superseded.getString("noEffectBecause"))
        .isEqualTo("superseded by the newer action " + exempt.getString("id"));
  }

  @Test
  void requestIdentifiesACallerAsTheRulesReadIt() {
    JsonObject action =
        take(
            "{\"action\": \"block\", \"rule\": \"each\", \"for\": \"1h\", \"request\": {\"method\":"
                + " \"GET\", \"target\": \"/\", \"headers\": [\"X-Key: acme\"]}, "
                + WHY
                + "}");
    assertThat(action.getString("rule")).isEqualTo("each");
    assertThat(check("acme")).isEqualTo(429);
  }

  @Test
  void limitOfADomainIsNamedByDomainAndPath() {
    String domain =
        "domain: shop\ndescriptors:\n- key: tenant\n  rate_limit: {unit: hour, requests_per_unit: 1}\n";
    try (TestServer shop = TestServer.with(domain)) {
      String asked =
          "{\"domain\": \"shop\", \"descriptors\": [{\"entries\": [{\"key\": \"tenant\", \"value\":"
              + " \"acme\"}]}]}";
      assertThat(shop.post("/json", asked).statusCode()).isEqualTo(200);
      assertThat(shop.post("/json", asked).statusCode()).isEqualTo(429);
      String multiply =
          "{\"action\": \"multiply\", \"rule\": \"shop/tenant\", \"factor\": 3, \"for\": \"1h\", "
              + WHY
              + "}";
      assertThat(shop.admin("POST", "/actions", multiply).statusCode()).isEqualTo(201);
      assertThat(shop.admin("GET", "/rlconfig", "").body()).contains("requests_per_unit=3");
      assertThat(shop.post("/json", asked).statusCode()).isEqualTo(200);
      String block =
          "{\"action\": \"block\", \"values\": {\"domain\": \"shop\", \"entry tenant\": \"acme\"},"
              + " \"for\": \"1h\", "
              + WHY
              + "}";
      HttpResponse<String> blocked = shop.admin("POST", "/actions", block);
      assertThat(blocked.statusCode()).as(blocked.body()).isEqualTo(201);
      assertThat(shop.post("/json", asked).statusCode()).isEqualTo(429);
      assertThat(shop.post("/json", asked.replace("acme", "other")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void reloadKeepsActionsAndOneWithoutItsRuleStaysListed() throws Exception {
    take(
        "{\"action\": \"multiply\", \"rule\": \"each\", \"factor\": 2, \"for\": \"1h\", "
            + WHY
            + "}");
    Files.writeString(served.rulesFile, RULES.replace("name: each", "name: every"));
    Await.until(
        "the new version",
        Duration.ofSeconds(60),
        () -> {
          served.watch.poll();
          return served.watch.status().reloads() == 1;
        });
    assertThat(list().getJsonObject(0).getBoolean("inForce")).isFalse();
    assertThat(list().getJsonObject(0).getString("noEffectBecause"))
        .isEqualTo("there is no rule of this name");
    assertThat(List.of(check("a"), check("a"), check("a"))).containsExactly(200, 200, 429);
  }

  @Test
  void untilIsAnInstant() {
    String until = Instant.now().plusSeconds(600).toString();
    JsonObject action =
        take(
            "{\"action\": \"shadow\", \"rule\": \"each\", \"until\": \""
                + until
                + "\", "
                + WHY
                + "}");
    assertThat(action.getLong("remainingMillis")).isBetween(500_000L, 600_000L);
    assertThat(
            Duration.between(Instant.parse(action.getString("until")), Instant.parse(until)).abs())
        .isLessThan(Duration.ofMillis(2));
  }

  @Test
  void thousandActionsAreListedAndOneMoreIsRefused() {
    String body = "{\"action\": \"block\", \"caller\": \"%016x\", \"for\": \"1h\", " + WHY + "}";
    List<Integer> statuses =
        IntStream.range(0, FleetTable.MAX_ENTRIES)
            .parallel()
            .mapToObj(i -> served.admin("POST", "/actions", body.formatted(i)).statusCode())
            .toList();
    assertThat(statuses).containsOnly(201);
    assertThat(list()).hasSize(FleetTable.MAX_ENTRIES);
    HttpResponse<String> refused = post(body.formatted(-1));
    assertThat(refused.statusCode()).isEqualTo(409);
    assertThat(new JsonObject(refused.body()).getString("detail"))
        .isEqualTo("actions: too many (expected: at most 1000; undo one, or wait until it ends)");
    undo(list().getJsonObject(500).getString("id"));
    take(body.formatted(-1));
    assertThat(check("acme")).isEqualTo(200);
  }

  @Test
  void actionEndsByItself() {
    take("{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"1s\", " + WHY + "}");
    assertThat(rule("each").getInteger("enforcedPercent")).isZero();
    Await.until("the end", Duration.ofSeconds(60), () -> list().isEmpty());
    assertThat(rule("each").getInteger("enforcedPercent")).isEqualTo(100);
  }

  @Test
  void metricsAndAuditLogShowActions() {
    Logger log = Logger.getLogger(AuditLog.LOGGER);
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler = handler(lines);
    log.addHandler(handler);
    try {
      JsonObject action =
          take("{\"action\": \"shadow\", \"rule\": \"each\", \"for\": \"1h\", " + WHY + "}");
      PrometheusText metrics = new PrometheusText(served.admin("GET", "/metrics", "").body());
      assertThat(metrics.value("weir_actions", "action", "shadow")).isEqualTo(1);
      assertThat(metrics.value("weir_actions", "action", "block")).isZero();
      undo(action.getString("id"));
      undo("unknown");
      rejected("{\"action\": \"shadow\"}");
      List<JsonObject> events = lines.stream().map(JsonObject::new).toList();
      assertThat(events)
          .extracting(event -> event.getString("event"))
          .containsExactly("action", "action-undo", "action-undo");
      JsonObject details = events.get(0).getJsonObject("details");
      assertThat(details.getString("id")).isEqualTo(action.getString("id"));
      assertThat(details.getString("why")).isEqualTo("a test");
      assertThat(events.get(1).getJsonObject("details").getString("rule")).isEqualTo("each");
      assertThat(events.get(2).getJsonObject("details").getString("id")).isEqualTo("unknown");
    } finally {
      log.removeHandler(handler);
    }
  }

  private static Handler handler(List<String> lines) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        lines.add(line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void resetByHashNeedsAnIdentityThatTheServerRemembers() {
    String hash = explained("each", "acme").getString("callerHash");
    HttpResponse<String> unknown = served.admin("POST", "/reset", "{\"caller\": \"" + hash + "\"}");
    OpenApiDocument.conforms(served, unknown, "/reset", "post");
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(new JsonObject(unknown.body()).getString("detail"))
        .isEqualTo(
            "caller: "
                + hash
                + " (expected: a caller whose identity this server remembers; or values, or"
                + " request)");
    HttpResponse<String> both =
        served.admin("POST", "/reset", "{\"caller\": \"" + hash + "\", \"values\": {}}");
    assertThat(both.statusCode()).isEqualTo(400);
  }

  /** The counters of whom operators block or exempt are there all the same. */
  @Test
  void blockedCallerIsReset() {
    check("acme");
    check("acme");
    String hash = explained("each", "acme").getString("callerHash");
    String id =
        take("{\"action\": \"block\", \"caller\": \"" + hash + "\", \"for\": \"1h\", " + WHY + "}")
            .getString("id");
    HttpResponse<String> reset =
        served.admin(
            "POST", "/reset", "{\"values\": {\"path\": \"/\", \"header x-key\": \"acme\"}}");
    assertThat(new JsonObject(reset.body()).getInteger("reset")).isEqualTo(1);
    undo(id);
    assertThat(check("acme")).isEqualTo(200);
  }
}
