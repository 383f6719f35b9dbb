package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONArrayUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines that validate prints for gateways. */
class ValidateGatewayTest {
  private static final String RULES =
      """
      trusted-proxies: 10.0.0.0/8
      identity: {user: trusted-header X-User}
      tiers: {free: 10/second, pro: 100/second}
      rules:
        - {name: plan, per: user, tier: trusted-header X-Plan, default-tier: free}
      """;

  @TempDir private Path directory = Path.of("");

  private Path rules(String text) throws IOException {
    return Files.writeString(directory.resolve("rules.yaml"), text);
  }

  @Test
  void onlyLinesToPasteAreOnStandardOutput() throws IOException {
    Path file = rules(RULES);
    Ran ran = Ran.weir("validate", file, "--gateway-headers", "nginx").isHarmless();
    assertThat(ran.exit()).isEqualTo(0);
    String docs = Files.readString(Path.of("../docs/gateways.md"));
    assertThat(ran.out().lines())
        .containsExactly(
            "# In location = /_weir, in place of its proxy_pass.",
            "proxy_pass \"http://weir/v1/check;trusted-headers=x-plan,x-user?deny=403\";",
            "# Removes what clients send. Instead of \"\", write what NGINX itself knows of them.",
            "proxy_set_header X-Plan \"\";",
            "proxy_set_header X-User \"\";")
        .allMatch(docs::contains);
    assertThat(ran.err())
        .startsWith(file + ":1:1: warning: trusted-proxies: clients choose x-plan, x-user unless ")
        .containsPattern(": ok, 1 rule, 1 warning, version [0-9a-f]{12}\n$");
    assertThat(Ran.weir("validate", "-q", file, "--gateway-headers", "nginx").err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "caddy", "envoy", "haproxy", "NGINX"})
  void everyGatewayIsTold(String gateway) throws IOException {
    Ran ran = Ran.weir("validate", rules(RULES), "--gateway-headers", gateway).isHarmless();
    assertThat(ran.exit()).isEqualTo(0);
    assertThat(ran.out()).containsIgnoringCase("x-plan").contains("trusted-headers=x-plan,x-user");
  }

  @Test
  void rulesThatAreRefusedPrintNothingToPaste() throws IOException {
    Ran ran = Ran.weir("validate", rules("rules: [{name: a}]\n"), "--gateway-headers", "caddy");
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains(":1:9: ").contains(": refused, 1 error, 0 warnings\n");
    Path missing = directory.resolve("missing.yaml");
    Ran unread = Ran.weir("validate", missing, "--gateway-headers", "caddy");
    assertThat(unread.exit()).isEqualTo(2);
    assertThat(unread.err()).isEqualTo("weir: " + missing + ": no such file or directory\n");
    Path odd = rules(RULES.replace("X-User", "X!User"));
    Ran refused = Ran.weir("validate", "-q", odd, "--gateway-headers", "caddy").isHarmless();
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).startsWith(odd + ": trusted-header: x!user (expected: letters, ");
  }

  @Test
  void wrongUsageNamesTheFlag() throws IOException {
    Path file = rules(RULES);
    Ran unknown = Ran.weir("validate", file, "--gateway-headers", "nginxx").isHarmless();
    assertThat(unknown.exit()).isEqualTo(2);
    assertThat(unknown.err())
        .startsWith(
            "weir validate: --gateway-headers: nginxx"
                + " (expected: nginx, caddy, envoy or haproxy)\n");
    for (Object[] more : List.<Object[]>of(new Object[] {"--json"}, new Object[] {file})) {
      Ran ran = Ran.weir("validate", file, "--gateway-headers", "envoy", more[0]);
      assertThat(ran.exit()).isEqualTo(2);
      assertThat(ran.err()).contains("(expected: one file or directory alone)\n");
    }
  }

  @Test
  void programsGetTheNames() throws Exception {
    Ran ran = Ran.weir("validate", "--json", rules(RULES));
    assertThat(Ran.at(JSONArrayUtils.parse(ran.out()), 0, "trustedHeaders"))
        .isEqualTo("[x-plan, x-user]");
  }
}
