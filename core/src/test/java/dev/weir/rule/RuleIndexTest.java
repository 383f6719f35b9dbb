package dev.weir.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Finding rules by index gives what asking each of them gives. */
class RuleIndexTest {
  private static final String[] WORDS = {"a", "b", "c", "aa", "ab"};
  private static final String[] FORMS = {"a", "b", "c", "*", "**", "{id}", "a*", "*b"};
  private static final Limit LIMIT = Limit.tokenBucket(5, Duration.ofSeconds(1));

  @Test
  void theIndexFindsWhatAskingEachRuleFinds() {
    long seed = Long.getLong("weir.seed", new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    long applied = 0;
    for (int book = 0; book < 300; book++) {
      RuleBook rules = book(random, 1 + random.nextInt(60));
      for (int i = 0; i < 50; i++) {
        Descriptor request = request(random);
        List<String> asked =
            rules.explain(request, 0).stream()
                .filter(Explanation::applies)
                .map(one -> one.rule().name())
                .toList();
        List<String> found = rules.match(request).rules().stream().map(Rule::name).toList();
        assertThat(found).as("seed %d", seed).isEqualTo(asked);
        applied += found.size();
      }
    }
    assertThat(applied).isGreaterThan(10_000);
  }

  private static RuleBook book(SplittableRandom random, int size) {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Rule.Builder rule = Rule.named("rule-" + i).limit(LIMIT);
      if (random.nextInt(4) > 0) {
        String[] paths = new String[1 + random.nextInt(2)];
        for (int p = 0; p < paths.length; p++) {
          paths[p] = path(random, FORMS);
        }
        rule.match(Condition.path(paths));
      }
      if (random.nextInt(3) == 0) {
        rule.match(Condition.oneOf("method", random.nextBoolean() ? "GET" : "POST"));
      }
      if (random.nextInt(3) == 0) {
        rule.match(Condition.oneOf("entry tenant", WORDS[random.nextInt(3)], "zz"));
      }
      if (random.nextInt(5) == 0) {
        rule.match(Condition.like("host", "*" + WORDS[random.nextInt(3)]));
      }
      rules.add(rule.build());
    }
    return RuleBook.of(rules, KeySpace.withSecret(new byte[16]));
  }

  private static String path(SplittableRandom random, String[] segments) {
    StringBuilder path = new StringBuilder();
    int length = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      path.append('/').append(segments[random.nextInt(segments.length)]);
    }
    return length == 0 ? "/" : path.toString();
  }

  private static Descriptor request(SplittableRandom random) {
    Map<String, String> values = new HashMap<>();
    values.put("path", path(random, WORDS));
    if (random.nextInt(4) == 0) {
      values.put("path other-reading", path(random, WORDS));
    }
    values.put("method", random.nextBoolean() ? "GET" : "POST");
    if (random.nextInt(3) > 0) {
      values.put("entry tenant", WORDS[random.nextInt(WORDS.length)]);
    }
    if (random.nextInt(3) > 0) {
      values.put("host", "x" + WORDS[random.nextInt(WORDS.length)]);
    }
    return Descriptor.of(values);
  }
}
