package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators do with the callers in the lists, by the rules and hashes that stand there. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ListedCallersTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: per-key, per: key, limit: 2/day}
      """;
  private static final String DOMAIN =
      """
      domain: shop
      descriptors:
        - key: tenant
          rate_limit: {unit: day, requests_per_unit: 9}
        - key: plan
          descriptors:
            - key: user
              detailed_metric: true
              rate_limit: {unit: day, requests_per_unit: 1}
      """;
  private static final ServerSettings REVEALING = ServerSettings.DEFAULT.withRevealCallers();

  private static JsonObject first(TestServer served, String query) {
    HttpResponse<String> response = served.admin("GET", "/callers" + query, "");
    OpenApiDocument.conforms(served, response, "/callers", "get");
    return new JsonObject(response.body()).getJsonArray("callers").getJsonObject(0);
  }

  private static String only(String caller) {
    return new JsonObject().put("caller", caller).encode();
  }

  private static int ask(TestServer served, String... entries) {
    JsonArray list = new JsonArray();
    for (int i = 0; i < entries.length; i += 2) {
      list.add(new JsonObject().put("key", entries[i]).put("value", entries[i + 1]));
    }
    JsonArray descriptors = new JsonArray().add(new JsonObject().put("entries", list));
    JsonObject body = new JsonObject().put("domain", "shop").put("descriptors", descriptors);
    return served.post("/json", body.encode()).statusCode();
  }

  @Test
  void listedCallerIsResetIfTheServerKeepsWhatIdentifiesIt() {
    try (TestServer served = TestServer.with(RULES, REVEALING)) {
      int status;
      do {
        status = served.get("/v1/check/", "X-Key", "acme").statusCode();
      } while (status == 200);
      JsonObject acme = first(served, "");
      assertThat(acme.getBoolean("resettable")).isTrue();
      HttpResponse<String> reset = served.admin("POST", "/reset", only(acme.getString("caller")));
      assertThat(reset.statusCode()).as(reset.body()).isEqualTo(200);
      assertThat(new JsonObject(reset.body()).getInteger("reset")).isEqualTo(1);
      assertThat(served.get("/v1/check/", "X-Key", "acme").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void listSaysThatACallerCannotBeResetByAHashThatNobodyRemembers() {
    try (TestServer served = TestServer.with(RULES)) {
      served.get("/v1/check/", "X-Key", "acme");
      JsonObject acme = first(served, "?kind=allowed");
      assertThat(acme.getBoolean("resettable")).isFalse();
      assertThat(acme.getBoolean("blockable")).isTrue();
      HttpResponse<String> reset = served.admin("POST", "/reset", only(acme.getString("caller")));
      assertThat(reset.statusCode()).isEqualTo(404);
    }
  }

  @Test
  void listedCallerOfADomainIsBlockedByTheHashAndTheNameInTheList() {
    try (TestServer served = TestServer.with(DOMAIN, REVEALING)) {
      assertThat(ask(served, "tenant", "acme")).isEqualTo(200);
      JsonObject acme = first(served, "?kind=allowed");
      assertThat(acme.getString("rule")).isEqualTo("shop/tenant");
      assertThat(acme.getBoolean("blockable")).isTrue();
      assertThat(acme.getBoolean("resettable")).isFalse();
      JsonObject block =
          new JsonObject()
              .put("action", "block")
              .put("caller", acme.getString("caller"))
              .put("rule", acme.getString("rule"))
              .put("for", "1h")
              .put("why", "flood");
      assertThat(served.admin("POST", "/actions", block.encode()).statusCode()).isEqualTo(201);
      assertThat(ask(served, "tenant", "acme")).isEqualTo(429);
      assertThat(ask(served, "tenant", "other")).isEqualTo(200);
    }
  }

  /** To block the caller of such a counter would block everybody of the same plan. */
  @Test
  void counterOfSeveralEntriesIsListedEverywhereAndNotBlockable() throws Exception {
    try (TestServer served = TestServer.with(DOMAIN, REVEALING);
        LiveStream page = new LiveStream(served)) {
      page.next("second");
      while (ask(served, "plan", "free", "user", "ann") == 200) {}
      JsonArray live;
      do {
        live = page.next("second").getJsonArray("callers");
      } while (live.isEmpty());
      JsonObject ann = live.getJsonObject(0);
      assertThat(ann.getString("rule")).isEqualTo("shop/plan.user");
      assertThat(ann.getBoolean("blockable")).isFalse();
      assertThat(first(served, "").getBoolean("blockable")).isFalse();
    }
  }
}
