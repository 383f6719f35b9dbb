package dev.weir.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the specification of W3C Trace Context says of the header. */
class TraceParentTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String VALID = "00-" + TRACE + "-00f067aa0ba902b7-01";

  private static TraceContext context(String... values) {
    return Telemetry.NONE.trace(headers(values), true);
  }

  private static MultiMap headers(String... values) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (String value : values) {
      headers.add("TraceParent", value);
    }
    return headers;
  }

  @Test
  void validHeaderIsRead() {
    TraceParent parent = Objects.requireNonNull(TraceParent.of(headers(VALID)));
    assertThat(parent.traceHigh()).isEqualTo(0x4bf92f3577b34da6L);
    assertThat(parent.traceLow()).isEqualTo(0xa3ce929d0e0e4736L);
    assertThat(parent.spanId()).isEqualTo(0x00f067aa0ba902b7L);
    assertThat(parent.isSampled()).isTrue();
    assertThat(context(VALID).traceId()).isEqualTo(TRACE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "02", "fe"})
  void onlyTheLowestFlagSaysThatATraceIsRecorded(String flags) {
    TraceParent parent = TraceParent.parse("00-" + TRACE + "-00f067aa0ba902b7-" + flags);
    assertThat(Objects.requireNonNull(parent).isSampled()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"01", "03", "ff"})
  void otherFlagsDoNotMatter(String flags) {
    TraceParent parent = TraceParent.parse("00-" + TRACE + "-00f067aa0ba902b7-" + flags);
    assertThat(Objects.requireNonNull(parent).isSampled()).isTrue();
  }

  @Test
  void laterVersionsAreReadAsFarAsTheyAreKnown() {
    assertThat(TraceParent.parse("01" + VALID.substring(2))).isNotNull();
    assertThat(TraceParent.parse("cc" + VALID.substring(2) + "-what-ever")).isNotNull();
    assertThat(TraceParent.parse("cc" + VALID.substring(2) + ".what")).isNull();
    assertThat(TraceParent.parse("01" + VALID.substring(2, 54))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00-",
        "00-4BF92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e47-00f067aa0ba902b7-01xx",
        "00-\u0664bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01"
      })
  void malformedHeaderIsIgnored(String text) {
    assertThat(TraceParent.parse(text)).isNull();
  }

  @Test
  void twoHeadersAreIgnored() {
    assertThat(TraceParent.of(headers(VALID, VALID))).isNull();
    assertThat(TraceParent.of(headers())).isNull();
  }

  @Test
  void requestWithoutAParentBeginsATrace() {
    TraceContext one = context();
    assertThat(one.parent()).isNull();
    assertThat(one.header()).isEqualTo("00-" + one.traceId() + one.header().substring(35));
    assertThat(one.header()).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00");
    assertThat(context().traceId()).isNotEqualTo(one.traceId());
    assertThat(TraceParent.parse(one.header())).isNotNull();
  }

  @Test
  void headerOfTheCallerIsPassedOnUnlessASpanComesBetween() {
    String future = "cc" + VALID.substring(2) + "-more";
    assertThat(context(VALID).header()).isEqualTo(VALID);
    assertThat(context(future).header()).isEqualTo(future);
    TraceParent random = TraceParent.parse("00-" + TRACE + "-00f067aa0ba902b7-03");
    TraceContext recorded = TraceContext.of(random, true, new SpanSampler(true, 0));
    assertThat(recorded.header())
        .matches("00-" + TRACE + "-[0-9a-f]{16}-03")
        .doesNotContain("00f067aa0ba902b7");
    assertThat(recorded.parentSpanId()).isEqualTo(0x00f067aa0ba902b7L);
  }
}
