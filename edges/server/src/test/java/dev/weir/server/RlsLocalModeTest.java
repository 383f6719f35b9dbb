package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule in local mode beside one in a store that does not answer. */
class RlsLocalModeTest {
  private static final Code OK = Code.OK;
  private static final Code OVER = Code.OVER_LIMIT;
  private static final String RULES =
      """
      rules:
        - {name: here, match: {entry: {app: "*"}}, per: entry app, limit: 3/day, mode: local}
        - {name: open, match: {entry: {app: open}}, limit: 9/day, when-store-fails: allow}
        - {name: shut, match: {entry: {app: shut}}, limit: 9/day, when-store-fails: deny}
        - {name: share, match: {entry: {app: share}}, limit: 9/day, when-store-fails: local}
      """;

  private final FaultyStore store = new FaultyStore();
  private final TestServer served = TestServer.with(RULES, ServerSettings.DEFAULT, store);
  private final RlsClient client = new RlsClient(served.server.grpcPort());

  @AfterEach
  void stop() {
    client.close();
    served.close();
  }

  private List<Code> ask(String app) {
    return codes(client.ask(about("app", app)));
  }

  private static List<String> degraded(RateLimitResponse answer) {
    return answer.getResponseHeadersToAddList().stream()
        .filter(header -> header.getKey().equals("weir-degraded"))
        .map(HeaderValue::getValue)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "share"})
  void localRuleIsEnforcedWhateverTheSharedRuleDoes(String app) {
    assertThat(ask(app)).containsExactly(OK, OK);
    store.gone = true;
    for (int i = 1; i < 3; i++) {
      assertThat(ask(app)).containsExactly(OK, OK);
    }
    assertThat(ask(app)).containsExactly(OVER, OVER);
    store.gone = false;
    assertThat(ask(app)).containsExactly(OVER, OVER);
  }

  @Test
  void localRuleIsNotChargedForDeniedRequests() {
    store.gone = true;
    for (int i = 0; i < 5; i++) {
      assertThat(ask("shut")).containsExactly(OVER, OVER);
    }
    store.gone = false;
    assertThat(remaining(client.ask(about("app", "shut")))).containsExactly(2);
  }

  @Test
  void refundIsAppliedOnce() {
    store.gone = true;
    for (int i = 0; i < 3; i++) {
      assertThat(ask("open")).containsExactly(OK, OK);
    }
    assertThat(codes(client.ask(refunding(1, "app", "open")))).containsExactly(OK, OK);
    assertThat(ask("open")).containsExactly(OK, OK);
    assertThat(ask("open")).containsExactly(OVER, OVER);
  }

  @Test
  void denialIsMarkedDegradedOnlyIfItsRuleMissedTheStore() {
    store.gone = true;
    for (int i = 0; i < 3; i++) {
      assertThat(degraded(client.ask(about("app", "open")))).containsExactly("allow");
    }
    assertThat(degraded(client.ask(about("app", "open")))).isEmpty();
    assertThat(degraded(client.ask(about("app", "shut")))).containsExactly("deny");
  }
}
