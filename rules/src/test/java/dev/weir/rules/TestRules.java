package dev.weir.rules;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.http.identity.HttpReader;
import dev.weir.key.KeySpace;
import dev.weir.rule.book.Match;
import dev.weir.rules.yaml.Problem.Severity;
import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Loads rules from texts. */
public final class TestRules {
  static final Path RESOURCES = Path.of("src/test/resources/rules");
  static final KeySpace KEYS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
  public static final String SECRET = "a secret of more than thirty-two bytes";

  private TestRules() {}

  public static RulesLoader loader() {
    return new RulesLoader(KEYS, Map.of("TOKEN_SECRET", SECRET, "SHORT_SECRET", "short"));
  }

  public static String sample() throws IOException {
    return Files.readString(RESOURCES.resolve("sample.yaml"));
  }

  public static RuleSet load(String yaml) throws RulesRejected {
    return loader().load(List.of(RulesText.of("rules.yaml", yaml)));
  }

  static RulesSnapshot snapshot(String yaml) throws RulesRejected {
    RuleSet rules = load(yaml);
    return new RulesSnapshot(rules, new HttpReader(rules.http(), rules.book().names()));
  }

  /** The errors in a text, without the file's name; none if it loads. */
  public static List<String> errors(String yaml) {
    try {
      load(yaml);
      return List.of();
    } catch (RulesRejected e) {
      return e.problems().stream()
          .filter(one -> one.severity() == Severity.ERROR)
          .map(one -> one.toString().replaceFirst("^rules.yaml:", ""))
          .toList();
    }
  }

  /** The warnings of a text that loads, as location and code. */
  public static List<String> lint(String yaml) throws RulesRejected {
    return load(yaml).warnings().stream()
        .map(one -> one.location().line() + ":" + one.location().column() + " " + one.code())
        .toList();
  }

  /** The rule's name and the limit of each claim. */
  static List<String> limitsOf(Match match) {
    List<String> limits = new ArrayList<>();
    for (int i = 0; i < match.claims().size(); i++) {
      limits.add(match.charges().get(i).rule().name() + ": " + match.claims().get(i).limit());
    }
    return limits;
  }

  /** The key of the only claim. */
  static LimitKey key(Match match) {
    if (match.claims().size() != 1) {
      throw new AssertionError("claims: " + limitsOf(match) + " (expected: one)");
    }
    return match.claims().get(0).key();
  }

  /** The keys by rule and by the order of the rule's limits. */
  static List<LimitKey> keys(Match match) {
    return match.claims().stream().map(Claim::key).toList();
  }
}
