package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.GatewayHeaders.Gateway;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines for gateways; the server's tests run them in real ones. */
class GatewayHeadersTest {
  private static final String RULES =
      """
      identity: {user: trusted-header X-User}
      tiers: {free: 1/s}
      trusted-proxies: 10.0.0.0/8
      rules:
        - {name: a, per: user, tier: trusted-header x-PLAN, default-tier: free}
        - {name: b, per: header X-API-Key, limit: 1/s, match: {cookie: {lang: de}}}
        - {name: c, match: {header: {X-Plan: "*"}}, limit: 9/s}
      """;

  private static List<String> lines(Gateway gateway, String rules) throws RulesRejected {
    return GatewayHeaders.of(TestRules.load(rules)).lines(gateway);
  }

  private static String directives(Gateway gateway, String rules) throws RulesRejected {
    return String.join(
        "\n", lines(gateway, rules).stream().filter(line -> !line.startsWith("#")).toList());
  }

  @Test
  void exactlyTheTrustedHeadersAreRemoved() throws Exception {
    assertThat(directives(Gateway.NGINX, RULES))
        .isEqualTo(
            """
            proxy_pass "http://weir/v1/check;trusted-headers=x-plan,x-user?deny=403";
            proxy_set_header X-Plan "";
            proxy_set_header X-User "";""");
    assertThat(directives(Gateway.CADDY, RULES))
        .isEqualTo(
            """
            uri /v1/check;trusted-headers=x-plan,x-user?
            header_up -X-Plan
            header_up -X-User""");
    assertThat(directives(Gateway.HAPROXY, RULES))
        .isEqualTo(
            """
            http-request set-header X-Forwarded-For %[src]
            http-request del-header X-Plan
            http-request del-header X-User""");
    assertThat(directives(Gateway.ENVOY, RULES))
        .contains("        - remove: x-plan\n        - remove: x-user\npath_prefix: ")
        .endsWith(
            """
            path_prefix: "/v1/check;trusted-headers=x-plan,x-user"
            allowed_headers:
              patterns:
                - {exact: "x-plan", ignore_case: true}
                - {exact: "x-user", ignore_case: true}
                - {exact: "cookie", ignore_case: true}
                - {exact: "x-api-key", ignore_case: true}
                - {exact: "x-forwarded-for", ignore_case: true}""");
  }

  @Test
  void rulesWithoutTrustedHeadersPrintAnEmptyList() throws Exception {
    String rules = "rules: [{name: a, per: ip, limit: 1/s}]\n";
    assertThat(directives(Gateway.NGINX, rules))
        .isEqualTo("proxy_pass \"http://weir/v1/check;trusted-headers=?deny=403\";");
    assertThat(directives(Gateway.CADDY, rules)).isEqualTo("uri /v1/check;trusted-headers=?");
    assertThat(directives(Gateway.ENVOY, rules)).doesNotContain("header_mutation");
  }

  @Test
  void clientAddressIsSetInTheHeaderThatTheRulesRead() throws Exception {
    String rules = "forwarded-header: Forwarded\n" + RULES;
    assertThat(directives(Gateway.NGINX, rules))
        .startsWith("map $remote_addr $weir_forwarded {\n")
        .contains("\nproxy_set_header Forwarded $weir_forwarded;\n");
    assertThat(directives(Gateway.CADDY, rules))
        .contains("  ~^(.*:.*)$ `for=\"[${1}]\"`\n", "\nheader_up Forwarded {weir_forwarded}\n");
    assertThat(directives(Gateway.HAPROXY, rules))
        .contains("set-header Forwarded for=\\\"[%[src]]\\\" if { src -m sub : }\n")
        .doesNotContain("X-Forwarded-For");
    assertThat(directives(Gateway.ENVOY, rules)).contains("        - remove: forwarded\n");
  }

  @Test
  void envoyPassesTheHeaderThatHasTheToken() throws Exception {
    String rules =
        "jwt: {secret-env: TOKEN_SECRET%s}\nrules: [{name: a, per: jwt sub, limit: 1/s}]\n";
    assertThat(directives(Gateway.ENVOY, rules.formatted("")))
        .contains("{exact: \"authorization\"");
    assertThat(directives(Gateway.ENVOY, rules.formatted(", token: cookie t")))
        .contains("{exact: \"cookie\"")
        .doesNotContain("authorization\"");
  }

  @Test
  void headerNameThatNeedsQuotesIsRefused() {
    String rules =
        "trusted-proxies: 10.0.0.1\nrules: [{name: a, per: trusted-header x!p, limit: 1/s}]\n";
    assertThatThrownBy(() -> lines(Gateway.NGINX, rules))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("trusted-header: x!p (expected: letters, digits, dashes");
  }
}
