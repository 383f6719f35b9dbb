package dev.weir.replay.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.NamedRules;
import dev.weir.replay.TestEntry;
import dev.weir.replay.TestLog;
import dev.weir.replay.result.ReplayResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Suggested rules load, and deny what they promise. */
class SuggestionTest {
  private static List<TestEntry> log() {
    List<TestEntry> log = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      String target = i % 3 == 0 ? "/search?q=" + i : "/users/" + i + "/orders";
      TestEntry entry =
          TestEntry.at(TestLog.START + i * 50_000L, "GET", target, "10.0.0." + i * i % 97);
      log.add(i % 2 == 0 ? entry.with("X-API-Key", "k" + i % 7) : entry);
    }
    return log;
  }

  private static List<String> suggest(boolean enforced) throws IOException {
    Suggestion suggestion = new Suggestion(1, 1_000_000);
    suggestion.read(TestLog.of(log()), source -> {});
    assertThat(suggestion.requests()).isEqualTo(20_000);
    return suggestion.rules(enforced);
  }

  @Test
  void suggestedRulesLoadWithoutAWarning() throws IOException {
    NamedRules rules = TestLog.rules(String.join("\n", suggest(false)));
    assertThat(rules.rules().warnings()).isEmpty();
    assertThat(rules.rules().book().rules())
        .extracting(Object::toString)
        .containsExactly("each-address", "each-key", "route-1", "route-2");
    assertThat(rules.rules().book().rules()).allMatch(rule -> rule.enforced() == 0);
  }

  @Test
  void eachNumberHasItsReason() throws IOException {
    List<String> lines = suggest(false);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).matches(" +- \\d+/(second|minute)")) {
        assertThat(lines.get(i - 1)).matches(" +# p50 .* would deny 0\\.1 %");
      }
    }
    assertThat(lines).anyMatch(line -> line.contains("path: \"/users/*/orders\""));
  }

  @Test
  void enforcedRulesHardlyDenyInAReplayOfTheSameLog() throws IOException {
    ReplayResult result = TestLog.replay(String.join("\n", suggest(true)), log());
    assertThat(result.proposed().worst().deniedShare()).isLessThanOrEqualTo(8 * 0.001);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "20, 20", "21, 25", "96, 100", "101, 110", "1234, 1300", "99999, 100000"})
  void numbersAreRoundedUpToWhatPeopleChoose(long needed, long suggested) {
    assertThat(SuggestedLimit.rounded(needed)).isEqualTo(suggested);
  }
}
