package dev.weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.Limit;
import dev.weir.time.CalendarWindow;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Formats of the output: JSON, limits and escaped text. */
class OutputFormatTest {
  @Test
  void anyTextSurvivesJson() throws Exception {
    Random random = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      StringBuilder text = new StringBuilder("\"\\/\b\f\n\r\t\u0000\u007f\u2028😀ä");
      random.ints(20, 0, 0xD800).forEach(c -> text.append((char) c));
      String json = Json.of(Json.object(text.toString(), text.toString()));
      assertThat(json).matches("(?s)[\n -~]*");
      assertThat(JSONObjectUtils.parse(json)).containsEntry(text.toString(), text.toString());
    }
  }

  @Test
  void jsonIsIndentedAndOrdered() {
    Object value = Json.object("b", List.of(1, 2L), "a", Json.object(), "n", null, "t", true);
    assertThat(Json.of(value))
        .isEqualTo(
            "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": {},\n  \"n\": null,\n  \"t\": true\n}");
    assertThat(Json.of(List.of())).isEqualTo("[]");
    assertThat(Json.of(1.5)).isEqualTo("1.5");
    assertThatThrownBy(() -> Json.of(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    assertThat(Json.of(Map.of())).isEqualTo("{}");
  }

  @Test
  void invisibleCharactersAreEscaped() {
    assertThat(Printable.of("plain text ~")).isEqualTo("plain text ~");
    assertThat(Printable.of("größe 😀 日本")).isEqualTo("größe 😀 日本");
    assertThat(Printable.of("\u001b[2J\n\r\t\u007f\u009b\u202e\u2028\ufeff\ud800"))
        .isEqualTo("\\u001b[2J\\u000a\\u000d\\u0009\\u007f\\u009b\\u202e\\u2028\\ufeff\\ud800");
    assertThat(Printable.of(Character.toString(0xE0001))).isEqualTo("\\u{e0001}");
  }

  @Test
  void limitsAreFormattedAsInRulesFiles() {
    assertThat(Wording.limit(Limit.tokenBucket(10, Duration.ofSeconds(1), 20)))
        .isEqualTo("10/second, burst 20, token-bucket");
    assertThat(Wording.limit(Limit.leakyBucket(3, Duration.ofMillis(1500), 5)))
        .isEqualTo("3/1500ms, queue 5, leaky-bucket");
    assertThat(Wording.limit(Limit.slidingLog(5, Duration.ofMinutes(1))))
        .isEqualTo("5/minute, sliding-log");
    assertThat(Wording.limit(Limit.fixedWindow(5, Duration.ofHours(36))))
        .isEqualTo("5/36h, fixed-window");
    assertThat(Wording.limit(Limit.slidingCounter(5, Duration.ofDays(10))))
        .isEqualTo("5/10d, sliding-counter");
    CalendarWindow billing = CalendarWindow.billingMonth(15, ZoneId.of("Europe/Berlin"));
    assertThat(Wording.limit(Limit.fixedWindow(5, billing)))
        .isEqualTo("5/month from day 15 in Europe/Berlin, fixed-window");
    assertThat(Wording.limit(Limit.concurrent(20, Duration.ofMinutes(1))))
        .isEqualTo("20 at a time, each for at most 1m");
  }
}
