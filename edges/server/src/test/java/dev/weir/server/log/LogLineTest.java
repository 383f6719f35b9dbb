package dev.weir.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LogLineTest {
  private static final Instant TIME = Instant.parse("2026-11-17T09:08:45.120345Z");

  private static LogLine line(LogFormat format) {
    return new LogLine(format, TIME);
  }

  @Test
  void textIsATimeAndFields() {
    LogLine line = line(LogFormat.TEXT).text("path", "/a").text("rule", "per ip").number("n", -3);
    assertThat(line.text("absent", null).toString())
        .isEqualTo("2026-11-17T09:08:45.120Z path=/a rule=\"per ip\" n=-3");
  }

  @Test
  void jsonIsAnObject() {
    LogLine line = line(LogFormat.JSON).text("path", "/a").text("rule", "per ip").number("n", -3);
    assertThat(line.text("absent", null).toString())
        .isEqualTo(
            "{\"time\":\"2026-11-17T09:08:45.120Z\",\"path\":\"/a\",\"rule\":\"per ip\",\"n\":-3}");
  }

  @Test
  void textOfAClientCannotBreakALineOrForgeAField() {
    String evil = "x\r\n2026 outcome=allowed\u001b[2J\u2028\u0000\u007f\u009b\"\\";
    assertThat(line(LogFormat.TEXT).text("path", evil).toString())
        .isEqualTo(
            "2026-11-17T09:08:45.120Z path=\"x\\u000d\\u000a2026 outcome=allowed\\u001b[2J\\u2028"
                + "\\u0000\\u007f\\u009b\\\"\\\\\"");
    assertThat(line(LogFormat.TEXT).text("a", "b=c").text("d", "").toString())
        .endsWith(" a=\"b=c\" d=\"\"");
  }

  @Test
  void jsonGivesBackAnyText() {
    Random random = new Random(5);
    for (int i = 0; i < 1_000; i++) {
      StringBuilder text = new StringBuilder();
      random.ints(random.nextInt(20), 0, 0x300).forEach(c -> text.append((char) c));
      String json = line(LogFormat.JSON).text("path", text.toString()).toString();
      assertThat(json).matches("[ -~]*");
      assertThat(new JsonObject(json).getString("path")).isEqualTo(text.toString());
    }
  }

  @Test
  void longTextIsCut() {
    assertThat(line(LogFormat.TEXT).text("a", "x".repeat(100_000)).toString().length())
        .isLessThan(9_000);
  }
}
