package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever is posted to {@code /actions}, the server answers as documented, and goes on. */
class ActionFuzzTest extends ActionsApiFixture {
  private static final List<String> VALID =
      List.of(
          "{\"action\": \"multiply\", \"rule\": \"each\", \"factor\": \"1.5\", \"for\": \"15m\", "
              + WHY
              + "}",
          "{\"action\": \"shadow\", \"rule\": \"site\", \"for\": \"2h\", " + WHY + "}",
          "{\"action\": \"block\", \"caller\": \"0123456789abcdef\", \"for\": \"1d\", " + WHY + "}",
          "{\"action\": \"exempt\", \"values\": {\"path\": \"/\", \"header x-key\": \"k\"}, \"for\": \"1s\", "
              + WHY
              + "}",
          "{\"action\": \"block\", \"rule\": \"each\", \"request\": {\"method\": \"GET\", \"target\": \"/\", \"headers\": [\"X-Key: k\"]}, \"for\": \"9m\", "
              + WHY
              + "}");

  @Test
  void mutatedActionsAreAnsweredAsDocumented() {
    int rounds = Effort.of(300, 5_000);
    Seeds.run(
        random -> {
          for (int i = 0; i < rounds; i++) {
            byte[] body =
                VALID.get(random.nextInt(VALID.size())).getBytes(StandardCharsets.ISO_8859_1);
            for (int j = random.nextInt(4); j >= 0; j--) {
              body[random.nextInt(body.length)] = (byte) (' ' + random.nextInt(95));
            }
            HttpResponse<String> response = post(new String(body, StandardCharsets.ISO_8859_1));
            assertThat(response.statusCode()).as(response.body()).isIn(201, 400, 409);
          }
        });
    assertThat(List.of(200, 429)).contains(check("acme"));
  }

  @Test
  void valuesOfWrongTypesAreRejected() {
    List<Object> odd =
        List.of(7, 1.5, true, "", "x".repeat(100_000), new JsonArray().add(1), new JsonObject());
    for (String valid : VALID) {
      for (String field : new JsonObject(valid).fieldNames()) {
        for (Object value : odd) {
          JsonObject body = new JsonObject(valid).put(field, value);
          boolean factor = field.equals("factor") && value instanceof Number;
          boolean why = field.equals("why") && value instanceof String;
          if (!factor && !why) {
            assertThat(post(body.encode()).statusCode()).as(field + " " + value).isEqualTo(400);
          }
        }
        assertThat(post(new JsonObject(valid).putNull(field).encode()).statusCode())
            .as(field)
            .isEqualTo(
                field.equals("rule") && !valid.contains("multiply") && !valid.contains("shadow")
                    ? 201
                    : 400);
      }
    }
  }

  @Test
  void deepAndLargeBodiesAreRejected() {
    String nested = "[".repeat(5_000) + "]".repeat(5_000);
    assertThat(post("{\"action\": " + nested + "}").statusCode()).isEqualTo(400);
    assertThat(post("{\"why\": \"" + "x".repeat(2_000_000) + "\"}").statusCode()).isEqualTo(413);
  }

  @Test
  void undoingAtTheSameTimeIsDoneOnce() {
    String id = take(VALID.get(0)).getString("id");
    List<Integer> statuses =
        IntStream.range(0, 16)
            .parallel()
            .mapToObj(i -> served.admin("DELETE", "/actions/" + id, "").statusCode())
            .toList();
    assertThat(statuses).contains(200).allMatch(status -> status == 200 || status == 404);
    assertThat(list()).isEmpty();
    for (String odd : List.of("", "..", "%2e%2e", "a".repeat(7_000), "%00", "x/y")) {
      assertThat(served.admin("DELETE", "/actions/" + odd, "").statusCode()).isEqualTo(404);
    }
  }
}
