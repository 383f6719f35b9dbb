package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.guard.GuardSettings;
import dev.weir.http.HttpReader;
import dev.weir.redis.RedisSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Gateways wait for longer than Weir may take: whoever gives up before lets pass, by the recipes,
 * what Weir is about to turn away. (Tests that run the recipes have them wait for longer still.)
 */
class RecipeTimeoutsTest {
  private static final RedisSettings REDIS = RedisSettings.parse("redis://localhost");

  /** After which every call of the store is over. */
  private static final Duration STORE = GuardSettings.DEFAULT.behind(REDIS.deadline()).deadline();

  /** The same where a rule that denies waits on for an answer that is late. */
  private static final Duration PATIENT = STORE.plus(REDIS.patience());

  /** The same for a token that waited to be verified first; keys are tried in milliseconds. */
  private static final Duration LONGEST = PATIENT.plus(HttpReader.MAX_WAIT).plusMillis(50);

  @Test
  void nginxWaitsForLonger() throws IOException {
    assertThat(timeouts("gateways.md", "nginx", "server {", "proxy_read_timeout (\\d+)s;"))
        .singleElement()
        .satisfies(timeout -> assertThat(timeout).isGreaterThan(LONGEST));
  }

  @Test
  void envoyWaitsForLonger() throws IOException {
    String seconds = "[ {]timeout: ([0-9.]+)s";
    assertThat(timeouts("envoy.md", "yaml", "ext_authz.v3", "server_uri.*" + seconds))
        .singleElement()
        .satisfies(timeout -> assertThat(timeout).isGreaterThan(LONGEST));
    for (String recipe : List.of("static_resources", "kind: EnvoyFilter")) {
      assertThat(timeouts("envoy.md", "yaml", recipe, "domain: shop\n *" + seconds))
          .singleElement()
          .satisfies(timeout -> assertThat(timeout).isGreaterThan(STORE));
    }
  }

  @Test
  void theDocsNameTheLongestTime() throws IOException {
    assertThat(LONGEST).isLessThan(Duration.ofMillis(1_800));
    assertThat(PATIENT).isLessThan(Duration.ofMillis(1_600));
    assertThat(STORE).isLessThan(Duration.ofMillis(1_100));
    assertThat(Files.readString(Path.of("../docs/redis.md")))
        .contains("`/v1/check` and `/v1/decide` | 1.6 s |")
        .contains("to be verified | 1.8 s |")
        .containsPattern("Envoy's service, .* \\| 1\\.1 s \\|");
  }

  private static List<Duration> timeouts(String page, String language, String with, String pattern)
      throws IOException {
    return Pattern.compile(pattern)
        .matcher(Gateway.block(page, language, with))
        .results()
        .map(found -> Duration.ofMillis(Math.round(1_000 * Double.parseDouble(found.group(1)))))
        .toList();
  }
}
