package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code /readyz} reports to any client, and to operators. */
@Timeout(300)
class ReadinessDetailsTest {
  private static final String RULES =
      "rules: [{name: site, limit: 100/hour, when-store-fails: local}]";

  @Test
  void trafficPortReadinessHidesFilesAndRules() throws Exception {
    try (TestServer served = TestServer.open(RULES)) {
      Files.writeString(served.rulesFile, "rules: [{name: secret-rule, limit: 1/minuet}]");
      Await.until(
          "refused",
          Duration.ofSeconds(60),
          () -> {
            served.watch.poll();
            return served.watch.status().refusals() > 0;
          });
      HttpResponse<String> ready = served.get("/readyz");
      assertThat(ready.statusCode()).isEqualTo(200);
      assertThat(new JsonObject(ready.body()))
          .isEqualTo(
              new JsonObject()
                  .put("ready", true)
                  .put("state", "ready")
                  .put("rules", "loaded")
                  .put("store", "answering"));
      HttpResponse<String> details = served.admin("GET", "/readyz", "");
      assertThat(details.statusCode()).isEqualTo(200);
      assertThat(new JsonObject(details.body()).getJsonArray("problems").encode())
          .contains(served.rulesFile.getFileName().toString(), "minuet");
    }
  }

  @Test
  void trafficPortReadinessReportsOnlyWhetherStoreAnswers() {
    FaultyStore store = new FaultyStore();
    try (TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store)) {
      store.gone = true;
      Await.until(
          "noticed",
          Duration.ofSeconds(60),
          () -> {
            served.check("/");
            return served.get("/readyz").body().contains("not-answering");
          });
      HttpResponse<String> ready = served.get("/readyz");
      assertThat(ready.statusCode()).isEqualTo(200);
      assertThat(new JsonObject(ready.body()).fieldNames())
          .containsExactlyInAnyOrder("ready", "state", "rules", "store");
      JsonObject details = new JsonObject(served.admin("GET", "/readyz", "").body());
      assertThat(details.getJsonObject("store").getBoolean("answers")).isFalse();
    }
  }
}
