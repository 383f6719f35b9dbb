package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.TestEntry;
import dev.weir.replay.TestLog;
import dev.weir.replay.result.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The reports as text and as JSON. */
class ReportTest {
  private static final String RULES =
      """
      identity: {key: header X-API-Key}
      rules:
        - {name: each, per: ip, limit: 2/minute, algorithm: fixed-window}
        - {name: keys, per: key, when-absent: skip, limit: 1/second}
        - {name: trial, limit: 1/minute, shadow: true}
      lint-ignore: forgeable-key
      """;

  private static ReplayResult result() {
    List<TestEntry> log = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String target = "/a/very/long/path/that/does/not/fit/into/a/line/of/the/report/at/all/" + i;
      log.add(
          TestEntry.at(TestLog.START + i * 1_000_000L, "GET", target, "192.0.2." + i % 20)
              .with(":line", "" + (i + 1))
              .inSeconds());
    }
    String today = RULES.replace("2/minute", "1/minute");
    return TestLog.replay(RULES, Optional.of(today), log, TestLog.settings());
  }

  @Test
  void textBeginsWithTheVerdictAndFitsAHundredColumns() {
    List<String> lines = ReportText.of(result());
    assertThat(lines.get(0))
        .isEqualTo("20 % of 100 requests would have been denied; 20 callers would be hurt.");
    assertThat(lines).allMatch(line -> line.length() <= 100);
    assertThat(lines)
        .contains("  rules.yaml: keys: never matched: the log has no header x-api-key")
        .anyMatch(line -> line.startsWith("trial (shadow) "))
        .anyMatch(line -> line.startsWith("Hurt: 20 callers with more than 5 % denied"));
  }

  @Test
  void jsonHasTheComponentsOfTheRecords() {
    String json = ReportJson.of(result());
    assertThat(json)
        .startsWith("{\"version\":1,\"log\":{\"files\":[\"access.log\"],\"requests\":100,")
        .contains("\"rules\":[{\"name\":\"rules.yaml\",\"version\":")
        .contains("\"spread\":\"start\"")
        .contains("\"severity\":\"not-replayed\",\"rule\":\"keys\"")
        .contains("\"comparison\":{\"spread\":")
        .contains("\"change\":\"newly-allowed\"")
        .endsWith("}");
  }

  @Test
  void numbersAreWrittenAsPeopleReadThem() {
    assertThat(Numbers.percent(0)).isEqualTo("0 %");
    assertThat(Numbers.percent(0.000_01)).isEqualTo("< 0.01 %");
    assertThat(Numbers.percent(0.003_4)).isEqualTo("0.34 %");
    assertThat(Numbers.percent(0.05)).isEqualTo("5 %");
    assertThat(Numbers.percent(0.123_4)).isEqualTo("12.3 %");
    assertThat(Numbers.count(1, "caller")).isEqualTo("1 caller");
    assertThat(Numbers.count(1_204_332, "request")).isEqualTo("1,204,332 requests");
    assertThat(Numbers.bars(List.of(0L, 1L, 8L), 80)).isEqualTo(" ▁█");
  }
}
