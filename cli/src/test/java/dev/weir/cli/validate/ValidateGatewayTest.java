package dev.weir.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONArrayUtils;
import dev.weir.cli.CommandRun;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway configuration that validate prints. */
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
  void standardOutputHasOnlyTheGatewayConfiguration() throws IOException {
    Path file = rules(RULES);
    CommandRun run =
        CommandRun.weir("validate", file, "--gateway-headers", "nginx").assertHarmless();
    assertThat(run.exit()).isEqualTo(0);
    String docs = Files.readString(Repository.path("docs/gateways.md"));
    assertThat(run.out().lines())
        .containsExactly(
            "# In location = /_weir, in place of its proxy_pass.",
            "proxy_pass \"http://weir/v1/check;trusted-headers=x-plan,x-user?deny=403\";",
            "# Removes what clients send. Instead of \"\", write what NGINX itself knows of them.",
            "proxy_set_header X-Plan \"\";",
            "proxy_set_header X-User \"\";")
        .allMatch(docs::contains);
    assertThat(run.err())
        .startsWith(file + ":1:1: warning: trusted-proxies: clients choose x-plan, x-user unless ")
        .containsPattern(": ok, 1 rule, 1 warning, version [0-9a-f]{12}\n$");
    assertThat(CommandRun.weir("validate", "-q", file, "--gateway-headers", "nginx").err())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "caddy", "envoy", "haproxy", "NGINX"})
  void everyGatewayIsSupported(String gateway) throws IOException {
    CommandRun run =
        CommandRun.weir("validate", rules(RULES), "--gateway-headers", gateway).assertHarmless();
    assertThat(run.exit()).isEqualTo(0);
    assertThat(run.out()).containsIgnoringCase("x-plan").contains("trusted-headers=x-plan,x-user");
  }

  @Test
  void refusedRulesPrintNoGatewayConfiguration() throws IOException {
    CommandRun run =
        CommandRun.weir("validate", rules("rules: [{name: a}]\n"), "--gateway-headers", "caddy");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(":1:9: ").contains(": refused, 1 error, 0 warnings\n");
    Path missing = directory.resolve("missing.yaml");
    CommandRun unread = CommandRun.weir("validate", missing, "--gateway-headers", "caddy");
    assertThat(unread.exit()).isEqualTo(2);
    assertThat(unread.err()).isEqualTo("weir: " + missing + ": no such file or directory\n");
    Path odd = rules(RULES.replace("X-User", "X!User"));
    CommandRun refused =
        CommandRun.weir("validate", "-q", odd, "--gateway-headers", "caddy").assertHarmless();
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).startsWith(odd + ": trusted-header: x!user (expected: letters, ");
  }

  @Test
  void wrongUsageNamesTheFlag() throws IOException {
    Path file = rules(RULES);
    CommandRun unknown =
        CommandRun.weir("validate", file, "--gateway-headers", "nginxx").assertHarmless();
    assertThat(unknown.exit()).isEqualTo(2);
    assertThat(unknown.err())
        .startsWith(
            "weir validate: --gateway-headers: nginxx"
                + " (expected: nginx, caddy, envoy or haproxy)\n");
    for (Object[] more : List.<Object[]>of(new Object[] {"--json"}, new Object[] {file})) {
      CommandRun run = CommandRun.weir("validate", file, "--gateway-headers", "envoy", more[0]);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).contains("(expected: one file or directory alone)\n");
    }
  }

  @Test
  void jsonListsTrustedHeaders() throws Exception {
    CommandRun run = CommandRun.weir("validate", "--json", rules(RULES));
    assertThat(CommandRun.valueAt(JSONArrayUtils.parse(run.out()), 0, "trustedHeaders"))
        .isEqualTo("[x-plan, x-user]");
  }
}
