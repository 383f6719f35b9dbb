package dev.weir.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceIdsTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void identifierOfATrustedProxyIsKept() {
    assertThat(TraceIds.of("abc-1", TRACE, true, () -> 7).requestId()).isEqualTo("abc-1");
    assertThat(TraceIds.of("abc-1", TRACE, false, () -> 7).requestId())
        .isEqualTo("00000000000000070000000000000007");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\tb", "ä", "a\"b", "<x>"})
  void malformedIdentifierIsReplaced(String id) {
    assertThat(TraceIds.of(id, null, true, () -> 7).requestId()).hasSize(32);
    assertThat(TraceIds.of("x".repeat(129), null, true, () -> 7).requestId()).hasSize(32);
  }

  @Test
  void validTraceIsKept() {
    TraceIds ids = TraceIds.of(null, TRACE, false, () -> 7);
    assertThat(ids.traceParent()).isEqualTo(TRACE);
    assertThat(ids.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00-4BF92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g"
      })
  void malformedTraceIsReplaced(String trace) {
    assertThat(TraceIds.of(null, trace, true, () -> 0).traceParent())
        .isEqualTo("00-00000000000000000000000000000001-0000000000000001-00");
  }
}
