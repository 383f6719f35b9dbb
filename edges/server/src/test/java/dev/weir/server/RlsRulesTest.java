package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.settings.ServerSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Our own rules apply too: they match the domain and the entries of a descriptor. */
class RlsRulesTest {
  private static final Code OK = Code.OK;
  private static final Code OVER = Code.OVER_LIMIT;
  private static final String RULES =
      """
      identity: {tenant: entry tenant}
      rules:
        - {name: tenants, match: {entry: {app: mail}}, per: tenant, limit: 2/hour}
        - {name: bad, match: {entry: {tenant: mallory}}, limit: blocked}
        - {name: beside, match: {entry: {user: "*"}}, limit: 3/day, algorithm: fixed-window}
        - {name: watched, match: {entry: {dark: "*"}}, limit: 1/day, shadow: true}
        - {name: keys, match: {entry: {key: "*"}}, limit: 2/day, algorithm: fixed-window}
        - {name: two, match: {entry: {two: "*"}}, limit: [3/day, 9/month], algorithm: fixed-window}
        - {name: roomy, match: {entry: {two: "*"}}, limit: 1000/day}
        - {name: dark, match: {entry: {two: "*"}}, limit: [2/day, 9/month], shadow: true}
        - {name: web, match: {path: /}, per: ip, limit: 1/hour}
        - {name: everything, per: ip, limit: 5/hour}
      """;
  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("user").per(2, Unit.DAY).named("of-domain"),
          at("key").per(9, Unit.DAY).quota(),
          at("other").per(9, Unit.DAY).quota());

  private final TestServer served =
      TestServer.with(RULES, ServerSettings.DEFAULT, new MemoryStore(), DOMAINS);
  private final RlsClient client = new RlsClient(served.server.grpcPort());

  @AfterEach
  void stop() {
    client.close();
    served.close();
  }

  private RateLimitResponse mail(
      io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Builder... some) {
    return client.ask(request(some).setDomain("mail"));
  }

  @Test
  void domainQuotaDoesNotLiftADenyingRule() {
    for (int i = 0; i < 2; i++) {
      assertThat(codes(client.ask(about("key", "a"), about("other", "a")))).containsOnly(OK);
    }
    assertThat(codes(client.ask(about("key", "a"), about("other", "a"))))
        .containsExactly(OVER, OVER, OK);
  }

  @Test
  void matchingRuleAppliesInUnconfiguredDomain() {
    RateLimitResponse first = mail(about("app", "mail", "tenant", "a"));
    assertThat(first.getStatuses(0).getCurrentLimit())
        .isEqualTo(
            RateLimit.newBuilder()
                .setRequestsPerUnit(2)
                .setUnit(RateLimit.Unit.HOUR)
                .setName("tenants")
                .build());
    mail(about("app", "mail", "tenant", "a"));
    assertThat(codes(mail(about("app", "mail", "tenant", "a")))).containsExactly(OVER, OVER);
    assertThat(codes(mail(about("app", "mail", "tenant", "b")))).containsExactly(OK, OK);
    assertThat(client.ask(about("tenant", "a")).getStatuses(0).hasCurrentLimit()).isFalse();
  }

  @Test
  void ruleAppliesBesideDomainLimitAndTheScarcerIsReported() {
    RateLimitResponse reply = client.ask(about("user", "a"));
    assertThat(reply.getStatuses(0).getCurrentLimit().getName()).isEqualTo("of-domain");
    client.ask(about("user", "b"), about("user", "c"));
    RateLimitResponse denied = client.ask(about("user", "d"));
    assertThat(codes(denied)).containsExactly(OVER, OVER);
    assertThat(denied.getStatuses(0).getCurrentLimit().getName()).isEqualTo("beside");
  }

  @Test
  void blockedCallerIsDenied() {
    RateLimitResponse reply = client.ask(about("tenant", "mallory"));
    assertThat(codes(reply)).containsExactly(OVER, OVER);
    assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
    mail(about("app", "mail", "tenant", "a"), about("tenant", "mallory"));
    assertThat(remaining(mail(costing(0, "app", "mail", "tenant", "a")))).containsExactly(2);
  }

  @Test
  void addendsPeeksAndRefundsApplyToRules() {
    assertThat(remaining(mail(costing(2, "app", "mail", "tenant", "a")))).containsExactly(0);
    assertThat(codes(mail(costing(0, "app", "mail", "tenant", "a")))).containsExactly(OK, OK);
    assertThat(codes(mail(refunding(1, "app", "mail", "tenant", "a")))).containsExactly(OK, OK);
    assertThat(codes(mail(about("app", "mail", "tenant", "a")))).containsExactly(OK, OK);
    assertThat(codes(mail(about("app", "mail", "tenant", "a")))).containsExactly(OVER, OVER);
  }

  @Test
  void ambiguousEntryDoesNotEvadeARule() {
    // It may be the blocked caller.
    assertThat(codes(client.ask(about("tenant", "a", "tenant", "b")))).containsExactly(OVER, OVER);
    assertThat(codes(client.ask(about("tenant", "a", "tenant", "a")))).containsExactly(OK, OK);
  }

  @Test
  void shadowRuleDeniesNothingAndIsCounted() {
    for (int i = 0; i < 3; i++) {
      assertThat(codes(client.ask(about("dark", "a")))).containsExactly(OK, OK);
    }
    String metrics = served.admin("GET", "/metrics", "").body();
    assertThat(metrics).contains("outcome=\"shadow-denied\",rule=\"watched\"} 2.0");
  }

  @Test
  void descriptorCountsOnceForARuleWithTwoLimits() {
    for (int i = 0; i < 10; i++) {
      client.ask(about("two", "a"));
    }
    PrometheusText metrics = new PrometheusText(served.admin("GET", "/metrics", "").body());
    assertThat(decisions(metrics, "two", "allowed")).isEqualTo(3);
    assertThat(decisions(metrics, "two", "denied")).isEqualTo(7);
    assertThat(decisions(metrics, "roomy", "allowed")).isEqualTo(3);
    assertThat(decisions(metrics, "roomy", "denied-by-other")).isEqualTo(7);
    assertThat(decisions(metrics, "dark", "allowed")).isEqualTo(2);
    assertThat(decisions(metrics, "dark", "shadow-denied")).isEqualTo(1);
  }

  private static double decisions(PrometheusText metrics, String rule, String outcome) {
    return metrics.value("weir_decisions_total", "rule", rule, "outcome", outcome);
  }

  @Test
  void rulesForOtherRequestsDoNotApply() {
    for (int i = 0; i < 3; i++) {
      RateLimitResponse reply = client.ask(about("path", "/"), about("ip", "10.0.0.1"), about());
      assertThat(codes(reply)).containsExactly(OK, OK, OK, OK);
    }
    assertThat(served.get("/v1/check/").statusCode()).isEqualTo(200);
  }
}
