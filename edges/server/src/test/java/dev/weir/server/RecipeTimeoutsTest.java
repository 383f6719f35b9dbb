package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.identity.HttpReader;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.shared.GuardSettings;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Gateway timeouts exceed the longest decision of Weir: by the recipes a gateway that gives up
 * earlier lets a request pass that Weir is about to deny. (Tests that run the recipes use longer
 * timeouts.)
 */
class RecipeTimeoutsTest {
  private static final RedisSettings REDIS = RedisSettings.parse("redis://localhost");

  /** The time after which every store call has ended. */
  private static final Duration STORE =
      GuardSettings.DEFAULT.asBackstopOf(REDIS.deadline()).deadline();

  /** The longest decision of a rule that denies, which waits for a late response. */
  private static final Duration PATIENT = STORE.plus(REDIS.lateReplyTimeout());

  /**
   * The longest decision with a token that waits for verification; keys are tried in milliseconds.
   */
  private static final Duration LONGEST_DECISION = PATIENT.plus(HttpReader.MAX_WAIT).plusMillis(50);

  @Test
  void nginxTimeoutExceedsLongestDecision() throws IOException {
    assertThat(timeouts("gateways.md", "nginx", "server {", "proxy_read_timeout (\\d+)s;"))
        .singleElement()
        .satisfies(timeout -> assertThat(timeout).isGreaterThan(LONGEST_DECISION));
  }

  @Test
  void envoyTimeoutExceedsLongestDecision() throws IOException {
    String seconds = "[ {]timeout: ([0-9.]+)s";
    assertThat(timeouts("envoy.md", "yaml", "ext_authz.v3", "server_uri.*" + seconds))
        .singleElement()
        .satisfies(timeout -> assertThat(timeout).isGreaterThan(LONGEST_DECISION));
    for (String recipe : List.of("static_resources", "kind: EnvoyFilter")) {
      assertThat(timeouts("envoy.md", "yaml", recipe, "domain: shop\n *" + seconds))
          .singleElement()
          .satisfies(timeout -> assertThat(timeout).isGreaterThan(STORE));
    }
  }

  @Test
  void docsStateTheLongestDecisionTime() throws IOException {
    assertThat(LONGEST_DECISION).isLessThan(Duration.ofMillis(1_800));
    assertThat(PATIENT).isLessThan(Duration.ofMillis(1_600));
    assertThat(STORE).isLessThan(Duration.ofMillis(1_100));
    assertThat(Files.readString(Repository.path("docs/redis.md")))
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
