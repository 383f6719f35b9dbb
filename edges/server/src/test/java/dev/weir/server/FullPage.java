package dev.weir.server;

import dev.weir.server.browser.Browser;

/** A server with long names of rules, and its page with all that it can have. */
final class FullPage {
  private static final int RULES = 20;

  private FullPage() {}

  private static String name(int number) {
    return ("rule-number-" + number + "-of-the-european-region-").repeat(3).substring(0, 60);
  }

  static TestServer serve() {
    StringBuilder rules =
        new StringBuilder("identity: {key: header X-Key}\nlint-ignore: forgeable-key\nrules:\n");
    for (int i = 0; i < RULES; i++) {
      rules.append("  - {name: ").append(name(i)).append(", match: {path: /r").append(i);
      rules.append("}, per: key, limit: 1/hour}\n");
    }
    return TestServer.with(rules.toString());
  }

  /** A server whose page has all that it can have, in full length. */
  static DashboardPage of(TestServer served, Browser browser) {
    for (int i = 0; i < RULES; i++) {
      for (int times = 0; times < 3; times++) {
        served.get("/v1/check/r" + i, "X-Key", "caller-" + i);
      }
    }
    DashboardPage page = DashboardPage.of(served, browser);
    page.await("document.querySelectorAll('#callers tbody tr').length === 20");
    page.await("document.querySelectorAll('#denied tbody tr').length === 20");
    page.run("document.querySelectorAll('.fold').forEach((button) => button.click())");
    page.explain(
        "curl https://api.example.com/r1?" + "q".repeat(200) + " -H 'X-Key: caller-1' -d x=1");
    page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    page.await("document.querySelectorAll('#chart-table tbody tr').length > 0");
    return page;
  }
}
