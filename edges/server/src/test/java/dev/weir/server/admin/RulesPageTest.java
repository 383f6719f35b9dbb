package dev.weir.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.AdminTest;
import dev.weir.server.OpenApiDocument;
import dev.weir.server.TestServer;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** {@code GET /rules} lists the rules as the server parsed them. */
class RulesPageTest {

  @Test
  void rulesAreListedWithMatchTiersAndOverrides() {
    String rules =
        """
        trusted-proxies: 10.0.0.0/8
        identity: {plan: trusted-header X-Plan}
        tiers:
          free: 10/minute
          pro: [100/minute, 5000/day]
          partner: unlimited
        rules:
          - name: api
            match: {method: [GET, POST], path: "/api/**"}
            per: ip
            tier: plan
            default-tier: free
            overrides: {192.0.2.0/24: 500/minute}
            block: 198.51.100.7
            cost: {from: trusted-header X-Cost, max: 50, otherwise: 2}
            rollout: 12.5%
            mode: local
            share: 25%
        """;
    try (TestServer served = TestServer.with(rules)) {
      JsonObject page = new JsonObject(served.admin("GET", "/rules", "").body());
      JsonObject api = AdminTest.named(page.getJsonArray("rules"), "name", "api");
      assertThat(
              AdminTest.named(api.getJsonArray("match"), "value", "method").getString("expected"))
          .isEqualTo("GET or POST");
      assertThat(AdminTest.named(api.getJsonArray("match"), "value", "path").getString("expected"))
          .isEqualTo("/api/**");
      JsonObject tiers = api.getJsonObject("tiers");
      assertThat(tiers.getString("from")).isEqualTo("trusted-header x-plan");
      assertThat(tiers.getString("default")).isEqualTo("free");
      JsonObject each = tiers.getJsonObject("each");
      assertThat(each.fieldNames()).containsExactly("free", "partner", "pro");
      assertThat(each.getJsonObject("pro").getJsonArray("limits")).hasSize(2);
      assertThat(each.getJsonObject("partner").getBoolean("unlimited")).isTrue();
      JsonObject blocked = api.getJsonArray("overrides").getJsonObject(0);
      assertThat(blocked.getJsonArray("for").getJsonObject(0).getString("expected"))
          .startsWith("198.51.100.7");
      assertThat(blocked.getJsonObject("allowance").getBoolean("blocked")).isTrue();
      JsonObject override = api.getJsonArray("overrides").getJsonObject(1);
      assertThat(override.getJsonArray("for").getJsonObject(0).getString("expected"))
          .isEqualTo("192.0.2.0/24");
      JsonObject limit =
          override.getJsonObject("allowance").getJsonArray("limits").getJsonObject(0);
      assertThat(limit.getInteger("permits")).isEqualTo(500);
      assertThat(api.getInteger("overridesOmitted")).isZero();
      assertThat(api.getJsonObject("cost").encode())
          .isEqualTo("{\"otherwise\":2,\"from\":\"trusted-header x-cost\",\"max\":50}");
      assertThat(api.getDouble("enforcedPercent")).isEqualTo(12.5);
      assertThat(api.getString("mode") + " " + api.getString("share")).isEqualTo("local 25%");
    }
  }

  @Test
  void listOfOverridesIsBounded() {
    StringBuilder rules =
        new StringBuilder("rules:\n  - name: r\n    per: ip\n    limit: 1/hour\n");
    rules.append("    overrides:\n");
    for (int i = 0; i < RulesPage.MAX_OVERRIDES + 5; i++) {
      rules.append("      10.").append(i >> 16).append('.').append(i >> 8 & 255).append('.');
      rules.append(i & 255).append(": 2/hour\n");
    }
    try (TestServer served = TestServer.with(rules.toString())) {
      JsonObject page = new JsonObject(served.admin("GET", "/rules", "").body());
      JsonObject rule = page.getJsonArray("rules").getJsonObject(0);
      assertThat(rule.getJsonArray("overrides")).hasSize(RulesPage.MAX_OVERRIDES);
      assertThat(rule.getInteger("overridesOmitted")).isEqualTo(5);
    }
  }

  @Test
  void rulesWithTiersAndOverridesConformToOpenApi() {
    String rules =
        """
        trusted-proxies: 10.0.0.0/8
        identity: {plan: trusted-header X-Plan}
        tiers: {free: 10/minute, pro: unlimited}
        rules:
          - {name: a, per: ip, tier: plan, default-tier: free, block: 192.0.2.1, rollout: 12.5%}
          - {name: b, per: ip, tier: {192.0.2.7: pro}, default-tier: free, mode: local}
          - {name: c, match: {path: /c}, cost: {from: trusted-header X-C, max: 5}, limit: 9/hour}
        """;
    try (TestServer served = TestServer.with(rules)) {
      HttpResponse<String> response = served.admin("GET", "/rules", "");
      OpenApiDocument.conforms(served, response, "/rules", "get");
      JsonObject table = new JsonObject(response.body()).getJsonArray("rules").getJsonObject(1);
      assertThat(table.getJsonArray("overrides").getJsonObject(0).getString("tier"))
          .isEqualTo("pro");
    }
  }
}
