package dev.weir.rules.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.TestRules;
import org.junit.jupiter.api.Test;

/**
 * Warnings about routes, upstreams and priorities that have no effect, or that clients can forge.
 */
class GatewayLintTest {
  private static final String RULES = "rules: [{name: a, limit: 1/s}]\n";

  @Test
  void upstreamWithoutARouteIsWarnedOf() throws Exception {
    assertThat(
            TestRules.lint(
                RULES + "upstreams: {x: http://x, y: http://y}\nroutes: [{upstream: y}]\n"))
        .containsExactly("2:13 unused-upstream");
    assertThat(
            TestRules.lint(
                RULES
                    + "upstreams: {x: http://x, y: http://y}\nroutes: [{upstream: y}]\n"
                    + "lint-ignore: unused-upstream\n"))
        .isEmpty();
  }

  @Test
  void routeAfterOneThatMatchesAllItsRequestsIsWarnedOf() throws Exception {
    assertThat(
            TestRules.lint(
                RULES
                    + """
                    upstreams: {x: http://x}
                    routes:
                      - {match: {path: [/a/**, /b], method: [GET, HEAD]}, upstream: x}
                      - {match: {path: /a, method: GET}, upstream: x}
                      - {match: {path: "/a/{id}", method: GET, host: a.example}, upstream: x}
                      - {match: {path: /a/b}, upstream: x}
                      - {match: {path: /ab, method: GET}, upstream: x}
                      - {match: {path: /b/c, method: GET}, upstream: x}
                      - {match: {host: "*.example"}, upstream: x}
                      - {match: {host: [a.example, b.example]}, upstream: x}
                      - {match: {host: a.test, ip: 10.0.0.0/8}, upstream: x}
                      - {match: {ip: 10.0.0.0/8, host: a.test}, upstream: x}
                      - {match: {ip: 10.1.0.0/16, host: a.test}, upstream: x}
                      - {upstream: x}
                      - {match: {path: /z}, upstream: x}
                    """))
        .containsExactly(
            "5:5 never-matches",
            "6:5 never-matches",
            "11:5 never-matches",
            "13:5 never-matches",
            "16:5 never-matches");
  }

  @Test
  void priorityThatCanNeverMatchIsWarnedOf() throws Exception {
    assertThat(
            TestRules.lint(
                RULES
                    + """
                    shedding:
                      capacity: 9
                      priorities:
                        - {match: {path: /a/**}, priority: 1}
                        - {match: {path: /a/b}, priority: 0}
                        - {match: {path: /c%2fd}, priority: 0}
                        - {match: {trusted-header: {X-A: b}}, priority: 0}
                    """))
        .containsExactly("6:7 never-matches", "7:8 never-matches", "8:7 never-matches");
  }

  @Test
  void highPriorityThatAClientCanChooseIsWarnedOf() throws Exception {
    assertThat(
            TestRules.lint(
                RULES
                    + """
                    shedding:
                      capacity: 9
                      priorities:
                        - {match: {header: {X-A: b}}, priority: 0}
                        - {match: {header: {X-B: b}, path: /a}, priority: 1}
                        - {match: {header: {X-C: b}, ip: 10.0.0.0/8}, priority: 0}
                        - {match: {header: {X-D: b}}, priority: 3}
                        - {match: {method: GET, path: /a}, priority: 0}
                    """))
        .containsExactly("5:8 forgeable-key", "6:8 forgeable-key");
  }
}
