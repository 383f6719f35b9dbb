package dev.weir.server;

import static dev.weir.server.AdminAccess.OPERATOR;
import static dev.weir.server.AdminAccess.VIEWER;
import static dev.weir.server.AdminAccess.bearer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.access.FailedTokens;
import dev.weir.server.audit.AuditLog;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody who guesses the tokens of the administration port. */
@Timeout(300)
class TokenGuessingTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Presents wrong tokens until none is looked at any more. */
  private static void exhaust(AdminAccess admin) {
    for (int i = 0; i < FailedTokens.MAX_PER_ADDRESS; i++) {
      HttpResponse<String> refused =
          i % 2 == 0
              ? admin.get("/rules", bearer("guess-number-" + i))
              : admin.logIn("guess-number-" + i, "eve");
      assertThat(refused.statusCode()).as("guess " + i).isEqualTo(401);
    }
  }

  @Test
  void addressThatGuessesIsNotListenedToForTheRestOfTheMinute() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      admin.clock.advance(Duration.ofSeconds(18));
      exhaust(admin);
      for (HttpResponse<String> refused :
          List.of(
              admin.get("/rules", bearer("another-guess")),
              admin.get("/session", bearer("another-guess")),
              admin.get("/rules", bearer(OPERATOR)),
              admin.logIn(OPERATOR, "eve"))) {
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(CheckTest.header(refused, "Retry-After")).isEqualTo("42");
        assertThat(new JsonObject(refused.body()).getString("detail"))
            .isEqualTo("token: too many wrong ones (expected: another attempt after 42 s)");
      }
      admin.clock.advance(MINUTE.minusSeconds(18));
      assertThat(admin.get("/rules", bearer(OPERATOR)).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void otherAddressesAreUnaffected() throws Exception {
    try (AdminAccess admin = AdminAccess.guarded()) {
      exhaust(admin);
      assertThat(admin.get("/rules", bearer(OPERATOR)).statusCode()).isEqualTo(429);
      assertThat(admin.statusFrom(2, "/rules", OPERATOR)).isEqualTo(200);
      assertThat(admin.statusFrom(3, "/metrics", VIEWER)).isEqualTo(200);
      assertThat(admin.statusFrom(3, "/metrics", "a-mistake")).isEqualTo(401);
      assertThat(admin.statusFrom(3, "/metrics", VIEWER)).isEqualTo(200);
    }
  }

  @Test
  void sessionsOfTheAddressGoOn() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(OPERATOR, "ann");
      exhaust(admin);
      assertThat(admin.get("/rules", "Cookie", cookie).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void requestsWithoutATokenAndSessionsThatEndedAreNoGuesses() {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String cookie = admin.session(OPERATOR, "ann");
      admin.post("/logout", "", "Cookie", cookie);
      for (int i = 0; i < 3 * FailedTokens.MAX_PER_ADDRESS; i++) {
        assertThat(admin.get("/rules").statusCode()).isEqualTo(401);
        assertThat(admin.get("/rules", "Cookie", cookie).statusCode()).isEqualTo(401);
        assertThat(admin.get("/rules", "Authorization", "Basic YTpi").statusCode()).isEqualTo(401);
      }
      assertThat(admin.get("/rules", bearer(OPERATOR)).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void seriesOfFailuresIsRecordedOnce() {
    try (AdminAccess admin = AdminAccess.guarded();
        LogLines log = new LogLines(AuditLog.LOGGER)) {
      for (int minute = 0; minute < 3; minute++) {
        exhaust(admin);
        admin.get("/rules", bearer("another-guess"));
        admin.clock.advance(MINUTE);
      }
      admin.session(OPERATOR, "ann"); // written after all lines before it
      log.await(2);
      assertThat(log.lines).hasSize(2);
      JsonObject first = new JsonObject(log.lines.get(0).replaceFirst("INFO ", ""));
      assertThat(first.getString("event")).isEqualTo("wrong-token");
      assertThat(first.getString("address")).isEqualTo("127.0.0.1");
      assertThat(first.getString("role")).isEqualTo("none");
      assertThat(first.getValue("who")).isNull();
      assertThat(log.lines.get(0)).doesNotContain("guess-number");

      admin.clock.advance(MINUTE.multipliedBy(2));
      admin.get("/rules", bearer("days-later"));
      log.await(3);
      assertThat(log.lines.get(2)).contains("\"event\":\"wrong-token\"");
    }
  }
}
