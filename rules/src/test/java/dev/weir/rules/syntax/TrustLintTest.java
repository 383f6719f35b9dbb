package dev.weir.rules.syntax;

import static dev.weir.rules.TestRules.lint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.TestRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trusted proxies, and what they must do. */
class TrustLintTest {
  private static final String RULE = "rules: [{name: a, per: ip, limit: 1/s}]\n";

  @Test
  void trustInAllAddressesIsWarnedOf() throws Exception {
    assertThat(TestRules.load("trusted-proxies: 0.0.0.0/0\n" + RULE).warnings())
        .singleElement()
        .hasToString(
            "rules.yaml:1:18: warning: trusted-proxies: 0.0.0.0/0 holds strangers, who can then"
                + " choose their address and every trusted header (name the addresses of your own"
                + " proxies, such as 10.0.0.7) [trusts-strangers]");
    assertThat(lint("trusted-proxies: [10.0.0.0/8, \"::/0\", 128.0.0.0/1]\n" + RULE))
        .containsExactly("1:31 trusts-strangers", "1:39 trusts-strangers");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.0.0.0/7",
        "8.0.0.0/8",
        "34.64.0.0/10",
        "::ffff:0.0.0.0/96",
        "::ffff:8.0.0.0/104",
        "2000::/3",
        "2a00::/12",
        "2001::/16",
        "2002::/16",
        "2003::/19",
        "fc00::/6",
        "fe80::/9",
        // Intended as private networks, but wider than those.
        "10.0.0.0/7",
        "172.0.0.0/8",
        "172.0.0.0/11",
        "192.0.0.0/8",
        "192.168.0.0/15",
        "100.0.0.0/8",
        "100.0.0.0/9",
        "126.0.0.0/7",
        "169.254.0.0/15"
      })
  void networkOfForeignAddressesIsWarnedOf(String network) throws Exception {
    assertThat(lint("trusted-proxies: '" + network + "'\n" + RULE))
        .containsExactly("1:18 trusts-strangers");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/8",
        "10.0.0.0/9",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "127.0.0.1",
        "169.254.0.0/16",
        "::1",
        "fc00::/7",
        "fd00::/8",
        "fe80::/10",
        "::ffff:10.0.0.0/104",
        // The widest networks that common CDNs have for their proxies.
        "104.16.0.0/13",
        "172.64.0.0/13",
        "162.158.0.0/15",
        "2a06:98c0::/29",
        "2400:cb00::/32"
      })
  void privateOrNarrowNetworkIsAccepted(String network) throws Exception {
    assertThat(lint("trusted-proxies: '" + network + "'\n" + RULE)).isEmpty();
  }

  @Test
  void trustedHeadersAreWarnedOfOnce() throws Exception {
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
