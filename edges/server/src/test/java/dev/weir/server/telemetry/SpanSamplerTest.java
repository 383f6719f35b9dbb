package dev.weir.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpanSamplerTest {
  private static final int TRACES = 100_000;

  private static TraceParent parent(long traceLow, boolean sampled) {
    return new TraceParent("", 1, traceLow, 1, sampled ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.001, 0.1, 0.5, 1})
  void ratioIsTheShareOfTracesThatAreRecorded(double ratio) {
    Random random = new Random(7);
    SpanSampler sampler = new SpanSampler(true, ratio);
    long recorded = 0;
    for (int i = 0; i < TRACES; i++) {
      recorded += sampler.samples(null, random.nextLong()) ? 1 : 0;
    }
    double spread = 6 * Math.sqrt(TRACES * ratio * (1 - ratio)); // six standard deviations
    assertThat((double) recorded).isBetween(TRACES * ratio - spread, TRACES * ratio + spread);
  }

  @Test
  void parentDecidesWhereItIsFollowed() {
    assertThat(new SpanSampler(true, 0).samples(parent(1, true), 1)).isTrue();
    assertThat(new SpanSampler(true, 1).samples(parent(1, false), 1)).isFalse();
    assertThat(new SpanSampler(false, 0).samples(parent(1, true), 1)).isFalse();
    assertThat(new SpanSampler(false, 1).samples(parent(1, false), 1)).isTrue();
  }

  @Test
  void sameTraceIsRecordedEverywhere() {
    Random random = new Random(8);
    SpanSampler tenth = new SpanSampler(false, 0.1);
    SpanSampler half = new SpanSampler(false, 0.5);
    for (int i = 0; i < 1_000; i++) {
      long trace = random.nextLong();
      boolean rare = tenth.samples(null, trace);
      assertThat(tenth.samples(parent(trace, false), trace)).isEqualTo(rare);
      assertThat(!rare || half.samples(null, trace)).isTrue();
    }
  }

  /** Anybody may claim that a trace is recorded, but not everybody is believed. */
  @Test
  void strangerDoesNotDecideWhatIsRecorded() {
    TraceContext context = TraceContext.of(parent(-1, true), false, new SpanSampler(true, 0));
    assertThat(context.sampled()).isFalse();
    assertThat(context.traceLow()).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void ratioOutOfRangeIsRefused(double ratio) {
    assertThatThrownBy(() -> new SpanSampler(true, ratio))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(expected: between 0 and 1)");
  }
}
