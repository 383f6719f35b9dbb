package dev.weir.benchmarks.rules;

import dev.weir.http.identity.HttpReader;
import dev.weir.key.KeySpace;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.RulesText;
import java.util.List;
import java.util.Map;

/** Sets of rules, five of which match the {@link SampleRequest}. */
final class SampleRules {
  static final String SECRET = "a secret of more than thirty-two bytes";
  static final int MATCHING = 5;

  private static final String HEAD =
      """
      trusted-proxies: [10.0.0.0/8]
      identity:
        api-key: header X-API-Key
        tenant: header X-Tenant
        caller: [api-key, ip]
      tiers:
        free: 100/minute
        pro: 100000000/minute
      rules:
        - {name: whole-site, limit: 100000000/second}
        - {name: plan, per: caller, tier: header X-Plan, default-tier: free}
        - {name: tenant, per: tenant, limit: 100000000/second}
        - name: ride-request
          match: {method: POST, path: /api/rides/request}
          per: caller
          limit: 100000000/second
        - name: rides
          match: {path: "/api/rides/**"}
          per: [ip, path]
          limit: 100000000/second
      """;

  private SampleRules() {}

  /** That many rules; half of those that do not match have a template in their path. */
  static RuleSet of(int count) {
    StringBuilder text = new StringBuilder(HEAD);
    for (int i = MATCHING; i < count; i++) {
      String path = i % 2 == 0 ? "/api/v" + i + "/things" : "/api/users/{id}/things" + i;
      text.append(
          "  - {name: other-%d, match: {method: POST, path: '%s'}, per: caller, limit: 10/second}%n"
              .formatted(i, path));
    }
    return load(text.toString());
  }

  /** One rule that counts by a verified claim. */
  static RuleSet withTokens() {
    return load(
        """
        jwt: {secret-env: SECRET}
        rules:
          - {name: user, per: jwt sub, limit: 100/second}
        """);
  }

  static RuleSet load(String text) {
    try {
      return new RulesLoader(KeySpace.random(), Map.of("SECRET", SECRET))
          .load(List.of(RulesText.of("sample.yaml", text)));
    } catch (RulesRejected e) {
      throw new IllegalStateException(e);
    }
  }

  static HttpReader reader(RuleSet rules) {
    return new HttpReader(rules.http(), rules.book().names());
  }
}
