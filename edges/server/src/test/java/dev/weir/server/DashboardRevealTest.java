package dev.weir.server;

import static dev.weir.server.AdminAccess.OPERATOR;
import static dev.weir.server.AdminAccess.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a caller is: nobody sees it by accident, or unseen. */
class DashboardRevealTest extends BrowserFixture {
  private static final String BUTTON = "#callers .reveal";

  @TempDir private Path directory = Path.of("");

  private Path audit() {
    return directory.resolve("audit.log");
  }

  private ServerSettings settings() {
    return AdminAccess.settings().withAuditLog(audit());
  }

  private List<JsonObject> reveals() throws IOException {
    return Files.readAllLines(audit()).stream()
        .map(JsonObject::new)
        .filter(line -> line.getString("event").equals("reveal"))
        .toList();
  }

  /** Has a caller denied, and returns once it is on the page. */
  private static String deny(AdminAccess admin, DashboardPage page, String key) {
    for (int i = 0; i < 5; i++) {
      admin.served.get("/v1/check/", "X-Key", key);
    }
    return page.caller("per-key");
  }

  @Test
  void callerIsNamedOnAClickOfAnOperatorWhichIsInTheAuditLog() throws Exception {
    try (AdminAccess admin = AdminAccess.of(settings().withRevealCallers());
        DashboardPage page = DashboardPage.asking(admin.served, browser())) {
      page.logIn(OPERATOR, "Ann");
      page.awaitLive();
      assertThat(deny(admin, page, "mallory")).doesNotContain("mallory");
      assertThat(page.is("document.documentElement.textContent.includes('mallory')")).isFalse();
      assertThat(reveals()).isEmpty();
      page.click(BUTTON);
      page.awaitText("#callers", "header x-key: mallory");
      assertThat(reveals()).hasSize(1);
      assertThat(reveals().get(0).getString("who")).isEqualTo("Ann");
      String hash = page.text("#callers code");
      assertThat(reveals().get(0).getJsonObject("details").getString("caller")).isEqualTo(hash);
      assertThat(Files.readString(audit())).doesNotContain("mallory");
      assertThat(page.isVisible(BUTTON)).as("there is nothing more to reveal").isFalse();
      page.expectProblem("/live").expectProblem("/actions").click("#log-out");
      page.await("!document.documentElement.textContent.includes('mallory')");
    }
  }

  @Test
  void markupInTheNameOfACallerStaysText() {
    String markup = "<img src=x onerror=document.title='owned'>";
    try (AdminAccess admin = AdminAccess.of(ServerSettings.DEFAULT.withRevealCallers());
        DashboardPage page = DashboardPage.of(admin.served, browser())) {
      deny(admin, page, markup);
      page.click(BUTTON);
      page.awaitText("#callers", "header x-key: " + markup);
      assertThat(page.is("document.querySelector('img')")).isFalse();
      assertThat(page.is("document.title.includes('owned')")).isFalse();
    }
  }

  @Test
  void viewerCannotReveal() throws Exception {
    try (AdminAccess admin = AdminAccess.of(settings().withRevealCallers());
        DashboardPage page = DashboardPage.asking(admin.served, browser())) {
      page.logIn(VIEWER, "Bob");
      page.awaitLive();
      deny(admin, page, "mallory");
      assertThat(page.isVisible(BUTTON)).isFalse();
      page.run(
          "document.querySelector(arguments[0]).click()", BUTTON); // hidden, as by a stylesheet
      page.awaitText("#callers .error:not(:empty)", "role: viewer (expected: operator");
      page.expectProblem("/callers/reveal");
      assertThat(page.is("document.documentElement.textContent.includes('mallory')")).isFalse();
      assertThat(reveals()).isEmpty();
    }
  }

  @Test
  void thereIsNoButtonUnlessTheServerKeepsWhatIdentifiesCallers() {
    try (AdminAccess admin = AdminAccess.of(ServerSettings.DEFAULT);
        DashboardPage page = DashboardPage.of(admin.served, browser())) {
      deny(admin, page, "mallory");
      assertThat(page.isVisible(BUTTON)).isFalse();
    }
  }
}
