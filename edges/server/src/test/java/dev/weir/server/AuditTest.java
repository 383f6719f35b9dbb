package dev.weir.server;

import static dev.weir.server.AdminAccess.ACME;
import static dev.weir.server.AdminAccess.OPERATOR;
import static dev.weir.server.AdminAccess.VIEWER;
import static dev.weir.server.AdminAccess.bearer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators do on the administration port is recorded, or not done. */
@Timeout(300)
class AuditTest {
  @TempDir private Path directory = Path.of("");

  private Path file() {
    return directory.resolve("audit.log");
  }

  private List<JsonObject> lines() throws Exception {
    return Files.readAllLines(file()).stream().map(JsonObject::new).toList();
  }

  @Test
  void fileHasALineForEachAction() throws Exception {
    try (AdminAccess admin = AdminAccess.of(AdminAccess.settings().withAuditLog(file()))) {
      String cookie = admin.session(OPERATOR, "Ann");
      admin.post("/reset", ACME, "Cookie", cookie);
      admin.post("/logout", "", "Cookie", cookie);
      admin.post("/reset", ACME, bearer(OPERATOR, "Weir-Operator", "bob"));
      admin.post("/reset", ACME, bearer(VIEWER));
      admin.post("/explain", ACME, bearer(VIEWER));
      admin.get("/rules", bearer("not-the-token"));
    }
    assertThat(lines().stream().map(line -> line.getString("event") + " " + line.getString("who")))
        .containsExactly("login Ann", "reset Ann", "logout Ann", "reset bob", "wrong-token null");
    JsonObject reset = lines().get(1);
    assertThat(reset.getString("time")).isEqualTo("2024-10-04T00:00:00.000Z");
    assertThat(reset.getString("role")).isEqualTo("operator");
    assertThat(reset.getString("address")).isEqualTo("127.0.0.1");
    assertThat(reset.getJsonObject("details").getJsonArray("reset"))
        .containsExactly("per-key (header x-key ***)");
    assertThat(Files.readString(file())).doesNotContain(OPERATOR).doesNotContain("not-the-token");
  }

  @Test
  void fullDiskRefusesTheResetAndNothingIsReset() {
    try (AdminAccess admin =
        AdminAccess.of(AdminAccess.settings().withAuditLog(Path.of("/dev/full")))) {
      admin.spend();
      HttpResponse<String> refused = admin.post("/reset", ACME, bearer(OPERATOR));
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(new JsonObject(refused.body()).getString("detail"))
          .isEqualTo(
              "the audit log cannot be written, so nothing was done: No space left on device");
      assertThat(admin.left()).isEqualTo(2);
      // Reading needs no record, and an incident is when people log in.
      String cookie = admin.session(OPERATOR, "Ann");
      assertThat(admin.get("/rules", "Cookie", cookie).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void serverWithoutAFileRecordsInItsLog() {
    try (AdminAccess admin = AdminAccess.guarded();
        LogLines log = new LogLines("dev.weir.audit")) {
      admin.post("/reset", ACME, bearer(OPERATOR, "Weir-Operator", "bob"));
      assertThat(log.lines).hasSize(1);
      assertThat(log.lines.get(0)).startsWith("INFO {\"time\":\"2024-10-04T00:00:00.000Z\"");
      JsonObject line = new JsonObject(log.lines.get(0).substring("INFO ".length()));
      assertThat(line.getString("who")).isEqualTo("bob");
      assertThat(line.getString("event")).isEqualTo("reset");
    }
  }

  @Test
  void serverDoesNotStartWithoutItsFile() {
    Path missing = directory.resolve("missing").resolve("audit.log");
    assertThatThrownBy(() -> AdminAccess.of(AdminAccess.settings().withAuditLog(missing)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("audit log: " + missing + ", no such directory");
  }
}
