package dev.weir.yaml;

import static dev.weir.yaml.TestRules.lint;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Whom rules believe, and what they ask of those. */
class TrustLintTest {
  private static final String RULE = "rules: [{name: a, per: ip, limit: 1/s}]\n";

  @Test
  void trustInEverybodyIsTold() throws Exception {
    assertThat(TestRules.load("trusted-proxies: 0.0.0.0/0\n" + RULE).warnings())
        .singleElement()
        .hasToString(
            "rules.yaml:1:18: warning: trusted-proxies: 0.0.0.0/0 holds strangers, who can then"
                + " choose their address and every trusted header (name the networks of your own"
                + " proxies, such as 10.0.0.0/8) [trusts-strangers]");
    assertThat(lint("trusted-proxies: [10.0.0.0/8, \"::/0\", 128.0.0.0/1]\n" + RULE))
        .containsExactly("1:31 trusts-strangers", "1:39 trusts-strangers");
    for (String wide : List.of("8.0.0.0/7", "'2000::/3'", "'::ffff:0.0.0.0/96'", "'2a00::/12'")) {
      assertThat(lint("trusted-proxies: " + wide + "\n" + RULE)).as(wide).hasSize(1);
    }
    for (String own :
        List.of("10.0.0.0/8", "'fc00::/7'", "'fd00::/8'", "'fe80::/10'", "'2400:cb00::/32'")) {
      assertThat(lint("trusted-proxies: " + own + "\n" + RULE)).as(own).isEmpty();
    }
  }

  @Test
  void theDutyOfProxiesIsToldOnceForAllHeaders() throws Exception {
    String yaml =
        """
        tiers: {free: 1/s}
        identity: {user: trusted-header X-User}
        trusted-proxies: 10.0.0.0/8
        rules:
          - {name: a, per: user, tier: trusted-header X-Plan, default-tier: free}
          - {name: b, match: {trusted-header: {X-Team: red}}, limit: 1/s}
          - {name: c, limit: 9/s, cost: {from: trusted-header X-Cost, max: 2}}
        """;
    assertThat(TestRules.load(yaml).warnings())
        .singleElement()
        .hasToString(
            "rules.yaml:3:1: warning: trusted-proxies: clients choose x-cost, x-plan, x-team,"
                + " x-user unless every proxy that is trusted sets or removes them (weir validate"
                + " --gateway-headers nginx prints the lines, also for caddy, envoy and haproxy;"
                + " then ignore this) [proxy-must-set]");
    assertThat(lint(yaml.replace("trusted-proxies: 10.0.0.0/8", "trusted-hops: 1")))
        .containsExactly("3:1 proxy-must-set");
    assertThat(lint("lint-ignore: proxy-must-set\n" + yaml)).isEmpty();
    assertThat(lint("trusted-proxies: 10.0.0.0/8\n" + RULE)).isEmpty();
  }
}
