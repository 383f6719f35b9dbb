package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The dashboard shows what candidates would change, in a real browser. */
class DashboardCandidatesTest extends BrowserFixture {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      lint-ignore: forgeable-key
      rules:
        - {name: per-key, match: {path: /items}, per: key, limit: 8/day, candidate: 6/day}
        - {name: plain, match: {path: /plain}, limit: 1000/day}
      """;

  @Test
  void candidateIsShownWithWhatItWouldDenyOnceItHasJudged() {
    try (TestServer served = TestServer.with(RULES);
        DashboardPage page = DashboardPage.of(served, browser())) {
      served.get("/v1/check/plain");
      page.await("document.querySelector('#use').textContent.includes('plain')");
      page.await("document.querySelector('#candidates').hidden");
      for (int i = 0; i < 8; i++) {
        served.get("/v1/check/items", "X-Key", "ann");
      }
      page.await("!document.querySelector('#candidates').hidden");
      page.await("document.querySelector('#candidates').textContent.includes('of 8 requests')");
      assertThat(page.text("#candidates"))
          .contains("per-key", "candidate would deny 25 % more, of 8 requests")
          .contains("75 % (75 %)", "25 % (25 %)", "0 % (0 %)")
          .doesNotContain("plain");
    }
  }
}
