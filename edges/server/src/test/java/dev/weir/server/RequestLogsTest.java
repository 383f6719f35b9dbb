package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.log.LogFormat;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The access log and the log of denials of a server. */
class RequestLogsTest extends RequestLogsFixture {
  @Test
  void eachCheckIsALine() {
    try (TestServer served = start()) {
      served.get(
          "/v1/check/two?token=secret", "traceparent", "00-" + TRACE + "-00f067aa0ba902b7-00");
      served.get("/v1/check", TestServer.forwardedHeaders("/bad?x"));
      served.check("/free");
      served.check("/dark");
      served.check("/dark");
      served.get("/v1/check");
      served.get("/healthz");
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/two\",\"status\":200,"
                + "\"outcome\":\"allowed\",\"rule\":\"two\",\"traceId\":\""
                + TRACE
                + "\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/bad\",\"status\":429,"
                + "\"outcome\":\"blocked\",\"rule\":\"bad-ones\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/free\",\"status\":200,"
                + "\"outcome\":\"allowed\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/dark\",\"status\":200,"
                + "\"outcome\":\"allowed\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/dark\",\"status\":200,"
                + "\"outcome\":\"allowed\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/v1/check\",\"status\":400,"
                + "\"outcome\":\"refused\"}");
  }

  @Test
  void denialNamesItsRuleAndTheHashOfItsCaller() {
    try (TestServer served = start()) {
      for (int i = 0; i < 4; i++) {
        served.get("/v1/check/two?q", "X-User", "alice");
        served.get("/v1/check/two?q", "X-User", "bob");
      }
      served.check("/bad");
    }
    List<JsonObject> lines = lines(denials());
    assertThat(lines).hasSize(5);
    String alice = lines.get(0).getString("caller");
    assertThat(alice).matches("[0-9a-f]{16}").isEqualTo(lines.get(2).getString("caller"));
    assertThat(lines.get(1).getString("caller")).matches("[0-9a-f]{16}").isNotEqualTo(alice);
    assertThat(lines.get(0).getLong("retryAfterMillis")).isBetween(1L, 86_400_000L);
    assertThat(lines.get(0).getString("rule")).isEqualTo("two");
    assertThat(lines.get(0).getString("path")).isEqualTo("/two");
    assertThat(stable(lines.get(4)))
        .isEqualTo(
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/bad\",\"outcome\":\"blocked\","
                + "\"rule\":\"bad-ones\"}");
    assertThat(lines.toString()).doesNotContain("bob").doesNotContain("alice");
  }

  @Test
  void decisionsOfABodyAreALineEach() {
    String body =
        """
        {"requests": [{"values": {"method": "PUT", "path": "/two?token=secret"}},
          {"operation": "peek", "values": {"path": "/bad"}}, {"values": {"path": "/bad"}}]}
        """;
    try (TestServer served = start()) {
      served.decide(body);
      served.post("/v1/decide", "{\"values\": {\"path\": \"/two\"}, \"operation\": \"rob\"}");
      served.postWith("/v1/decide", "{}", "Content-Type", "text/plain");
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"decide\",\"method\":\"PUT\",\"path\":\"/two\",\"status\":200,"
                + "\"outcome\":\"allowed\",\"rule\":\"two\"}",
            "{\"endpoint\":\"decide\",\"operation\":\"peek\",\"path\":\"/bad\",\"status\":200,"
                + "\"outcome\":\"blocked\",\"rule\":\"bad-ones\"}",
            "{\"endpoint\":\"decide\",\"path\":\"/bad\",\"status\":200,\"outcome\":\"blocked\","
                + "\"rule\":\"bad-ones\"}",
            "{\"endpoint\":\"decide\",\"method\":\"POST\",\"path\":\"/v1/decide\",\"status\":400,"
                + "\"outcome\":\"refused\"}",
            "{\"endpoint\":\"decide\",\"method\":\"POST\",\"path\":\"/v1/decide\",\"status\":415,"
                + "\"outcome\":\"refused\"}");
    assertThat(lines(denials())).as("a peek denies nobody").hasSize(1);
  }

  @Test
  void callsOfEnvoyAreLinesToo() {
    DomainBook domains = TestDomains.book("shop", TestDomains.at("user").per(1, Unit.DAY));
    try (TestServer served =
            TestServer.with(
                RULES, settings(LogFormat.JSON, false, 10), new MemoryStore(), domains);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      client.ask(RlsClient.request(RlsClient.about("user", "alice")));
      client.ask(RlsClient.request(RlsClient.about("user", "alice")));
      client.refused(RlsClient.request());
      String json =
          "{\"domain\": \"shop\", \"descriptors\":"
              + " [{\"entries\": [{\"key\": \"user\", \"value\": \"alice\"}]}]}";
      served.post("/json", json);
      Await.until("4 lines", Collector.LONG, () -> lines(access()).size() == 4);
    }
    String call =
        "{\"endpoint\":\"rls\",\"method\":\"POST\","
            + "\"path\":\"/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit\",";
    assertThat(stable(access()))
        .containsExactly(
            call + "\"status\":0,\"outcome\":\"allowed\",\"rule\":\"shop.user\"}",
            call + "\"status\":0,\"outcome\":\"denied\",\"rule\":\"shop.user\"}",
            call + "\"status\":3,\"outcome\":\"refused\"}",
            "{\"endpoint\":\"json\",\"method\":\"POST\",\"path\":\"/json\",\"status\":429,"
                + "\"outcome\":\"denied\",\"rule\":\"shop.user\"}");
    List<JsonObject> denied = lines(denials());
    assertThat(denied).hasSize(2);
    assertThat(denied.get(0).getString("caller"))
        .matches("[0-9a-f]{16}")
        .isEqualTo(denied.get(1).getString("caller"));
    assertThat(denied.toString()).doesNotContain("alice");
  }

  @Test
  void outageIsInBothLogs() {
    FaultyStore store = new FaultyStore();
    store.gone = true;
    try (TestServer served = start(store)) {
      served.check("/deny");
      served.check("/two");
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/deny\",\"status\":503,"
                + "\"outcome\":\"unanswered\",\"rule\":\"store\",\"degraded\":\"deny\"}",
            "{\"endpoint\":\"check\",\"method\":\"GET\",\"path\":\"/two\",\"status\":200,"
                + "\"outcome\":\"allowed\",\"rule\":\"two\",\"degraded\":\"local\"}");
    assertThat(lines(denials()).get(0).getString("rule")).isEqualTo("store");
  }

  @Test
  void shedRequestIsNoDenialByARule() {
    String rules = "shedding: {capacity: 1}\nrules: [{name: all, limit: 9/second}]\n";
    try (TestServer served = TestServer.with(rules, settings(LogFormat.JSON, false, 10))) {
      served.decide("{\"values\": {\"path\": \"/x\"}, \"load\": {\"inFlight\": 900}}");
    }
    assertThat(stable(access()))
        .containsExactly(
            "{\"endpoint\":\"decide\",\"path\":\"/x\",\"status\":200,\"outcome\":\"shed\"}");
    assertThat(lines(denials())).isEmpty();
  }

  @Test
  void queryIsWrittenOnlyIfItIsWanted() throws IOException {
    try (TestServer served = TestServer.with(RULES, settings(LogFormat.TEXT, true, 10))) {
      served.check("/two?a=b%20c");
    }
    assertThat(Files.readString(access()))
        .matches(
            "\\S+Z endpoint=check method=GET path=\"/two\\?a=b%20c\" status=200"
                + " outcome=allowed rule=two micros=\\d+\n");
  }
}
