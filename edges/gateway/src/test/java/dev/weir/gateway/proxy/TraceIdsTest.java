package dev.weir.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.telemetry.Telemetry;
import dev.weir.server.telemetry.TraceContext;
import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceIdsTest {
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final TraceContext TRACE =
      Telemetry.NONE.trace(MultiMap.caseInsensitiveMultiMap().add("traceparent", PARENT), false);

  @Test
  void identifierOfATrustedProxyIsKept() {
    assertThat(TraceIds.of("abc-1", true, TRACE, () -> 7).requestId()).isEqualTo("abc-1");
    assertThat(TraceIds.of("abc-1", false, TRACE, () -> 7).requestId())
        .isEqualTo("00000000000000070000000000000007");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\tb", "ä", "a\"b", "<x>"})
  void malformedIdentifierIsReplaced(String id) {
    assertThat(TraceIds.of(id, true, TRACE, () -> 7).requestId()).hasSize(32);
    assertThat(TraceIds.of("x".repeat(129), true, TRACE, () -> 7).requestId()).hasSize(32);
  }

  @Test
  void traceOfTheClientIsKept() {
    TraceIds ids = TraceIds.of(null, false, TRACE, () -> 7);
    assertThat(ids.traceParent()).isEqualTo(PARENT);
    assertThat(ids.isNewTrace()).isFalse();
  }
}
