package dev.weir.rule.condition;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.RuleBook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The index finds the same rules as testing each of them. */
class ConditionIndexTest {
  private static final String[] WORDS = {"a", "b", "c", "aa", "ab"};
  private static final String[] FORMS = {
    "a", "b", "c", "*", "**", "{id}", "a*", "*b", "a*b", "*a*"
  };
  private static final String[] GLOBS = {"*", "a*", "*b", "*a*", "a*b", "b", "*a*b*", "xa*", "x*a"};
  private static final Limit LIMIT = Limit.tokenBucket(5, Duration.ofSeconds(1));

  @Test
  void theIndexFindsWhatTestingEachRuleFinds() {
    long seed = Long.getLong("weir.seed", new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    long applied = 0;
    for (int book = 0; book < 300; book++) {
      RuleBook rules = book(random, 1 + random.nextInt(60));
      for (int i = 0; i < 50; i++) {
        Descriptor request = request(random);
        List<String> expected =
            rules.explain(request, 0).stream()
                .filter(Explanation::applies)
                .map(one -> one.rule().name())
                .toList();
        List<String> found =
            rules.match(request).charges().stream().map(charge -> charge.rule().name()).toList();
        assertThat(found).as("seed %d", seed).isEqualTo(expected);
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
        rule.match(
            new Condition.Like(
                "host",
                Set.copyOf(
                    List.of(GLOBS[random.nextInt(GLOBS.length)], WORDS[random.nextInt(3)]))));
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
      List<String> others = new ArrayList<>();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        others.add(path(random, WORDS));
      }
      values.put("path other-readings", String.join("\n", others));
    }
    values.put("method", random.nextBoolean() ? "GET" : "POST");
    if (random.nextInt(3) > 0) {
      values.put("entry tenant", WORDS[random.nextInt(WORDS.length)]);
    }
    if (random.nextInt(3) > 0) {
      values.put("host", "xyb".charAt(random.nextInt(3)) + WORDS[random.nextInt(WORDS.length)]);
    }
    for (String name : List.of("host", "entry tenant")) {
      if (random.nextInt(10) == 0) {
        values.put(name, Descriptor.UNUSABLE);
      }
    }
    return Descriptor.of(values);
  }

  @Test
  void overridesAreFoundInTheirOrderHoweverMany() {
    long seed = Long.getLong("weir.seed", new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 300; round++) {
      List<CallerOverride> overrides = new ArrayList<>();
      for (int i = 1 + random.nextInt(40); i > 0; i--) {
        Allowance own = Allowance.of(Limit.tokenBucket(i, Duration.ofSeconds(1)));
        overrides.add(CallerOverride.of(caller(random), own));
      }
      Rule rule =
          Rule.named("rule")
              .per(
                  Identity.first(
                      "caller", List.of(Identity.of("entry tenant"), Identity.of("host"))))
              .limit(LIMIT)
              .override(overrides.toArray(CallerOverride[]::new))
              .build();
      RuleBook book = RuleBook.of(List.of(rule), KeySpace.withSecret(new byte[16]));
      for (int i = 0; i < 20; i++) {
        Descriptor request = request(random);
        Limit expected = LIMIT;
        for (int s = overrides.size() - 1; s >= 0; s--) {
          Condition condition = requireNonNull(overrides.get(s).callers().get(0));
          String tenant = request.value("entry tenant");
          boolean byTenant = tenant != null && !Descriptor.isUnusable(tenant);
          String name = byTenant ? "entry tenant" : "host";
          String value = request.value(name);
          if (condition.name().equals(name)
              && value != null
              && !Descriptor.isUnusable(value)
              && condition.test(value)) {
            expected = ((Allowance) overrides.get(s).entitlement()).limits().get(0);
          }
        }
        assertThat(book.match(request).claims().get(0).limit())
            .as("seed %d", seed)
            .isEqualTo(expected);
      }
    }
  }

  private static Condition caller(SplittableRandom random) {
    return random.nextBoolean()
        ? Condition.oneOf("entry tenant", WORDS[random.nextInt(WORDS.length)])
        : Condition.like("host", GLOBS[random.nextInt(GLOBS.length)]);
  }
}
