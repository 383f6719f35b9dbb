package dev.weir.yaml;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.http.HttpReader;
import dev.weir.key.KeySpace;
import dev.weir.rule.Match;
import dev.weir.yaml.Problem.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rules from a text, as tests want them. */
final class TestRules {
  static final Path RESOURCES = Path.of("src/test/resources/rules");
  static final KeySpace KEYS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
  static final String SECRET = "a secret of more than thirty-two bytes";

  private TestRules() {}

  static RulesLoader loader() {
    return new RulesLoader(KEYS, Map.of("TOKEN_SECRET", SECRET, "SHORT_SECRET", "short"));
  }

  static String sample() throws IOException {
    return Files.readString(RESOURCES.resolve("sample.yaml"));
  }

  static RuleSet load(String yaml) throws RulesRefused {
    return loader().load(List.of(Source.of("rules.yaml", yaml)));
  }

  static LiveRules live(String yaml) throws RulesRefused {
    RuleSet rules = load(yaml);
    return new LiveRules(rules, new HttpReader(rules.http(), rules.book().names()));
  }

  /** The errors in a text, without the file's name; none if it loads. */
  static List<String> errors(String yaml) {
    try {
      load(yaml);
      return List.of();
    } catch (RulesRefused e) {
      return e.problems().stream()
          .filter(one -> one.severity() == Severity.ERROR)
          .map(one -> one.toString().replaceFirst("^rules.yaml:", ""))
          .toList();
    }
  }

  /** The warnings of a text that loads, as place and code. */
  static List<String> lint(String yaml) throws RulesRefused {
    return load(yaml).warnings().stream()
        .map(one -> one.place().line() + ":" + one.place().column() + " " + one.code())
        .toList();
  }

  /** What a request is held to: the rule's name and the limit, for each claim. */
  static List<String> claimed(Match match) {
    List<String> claimed = new ArrayList<>();
    for (int i = 0; i < match.claims().size(); i++) {
      claimed.add(match.rules().get(i).name() + ": " + match.claims().get(i).limit());
    }
    return claimed;
  }

  /** The key of the only claim. */
  static LimitKey key(Match match) {
    if (match.claims().size() != 1) {
      throw new AssertionError("claims: " + claimed(match) + " (expected: one)");
    }
    return match.claims().get(0).key();
  }

  /** The keys by rule and place among the limits of the rule. */
  static List<LimitKey> keys(Match match) {
    return match.claims().stream().map(Claim::key).toList();
  }
}
