package dev.weir.rule.book;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Cost;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathReadings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whether an expensive value is needed, before it is computed. */
class ValueReadersTest {
  private static final Limit LIMIT = Limit.tokenBucket(5, Duration.ofSeconds(1));
  private static final Identity SUBJECT = Identity.of("jwt sub");
  private static final Map<String, Allowance> TIERS = Map.of("free", Allowance.of(LIMIT));

  private final KeySpace keys = KeySpace.withSecret(new byte[16]);

  @Test
  void valueIsNeededWhereARuleThatReadsItMayApply() {
    assertNeededOnlyAt(rule -> rule.match(Condition.oneOf("jwt plan", "gold")));
    assertNeededOnlyAt(rule -> rule.per(SUBJECT));
    assertNeededOnlyAt(
        rule -> rule.per(Identity.first("caller", List.of(SUBJECT, Identity.of("ip")))));
    assertNeededOnlyAt(rule -> rule.tiers(new Tiers("jwt plan", TIERS, "free")));
    assertNeededOnlyAt(rule -> rule.cost(new Cost("jwt weight", 1, 9)));
    CallerOverride ann = CallerOverride.of(Condition.oneOf("jwt sub", "ann"), Allowance.BLOCKED);
    assertNeededOnlyAt(rule -> rule.override(ann));
    assertNeededOnlyAt(rule -> rule.tiers(new Tiers(null, TIERS, "free", List.of(ann))));
    assertNeededOnlyAt(rule -> rule.per(SUBJECT).enforced(0));
    assertNeededOnlyAt(rule -> rule.per(SUBJECT).whenAbsent(Rule.WhenAbsent.SKIP));
  }

  private static boolean isExpensive(String name) {
    return name.startsWith("jwt ");
  }

  private void assertNeededOnlyAt(UnaryOperator<Rule.Builder> reading) {
    Rule.Builder login = Rule.named("login").match(Condition.path("/login")).limit(LIMIT);
    RuleBook book = book(reading.apply(login), Rule.named("all").per(Identity.of("ip")));
    ValueReaders readers = book.readersOf(ValueReadersTest::isExpensive);
    assertThat(readers.mayApply(Descriptor.of(Map.of("path", "/login")))).isTrue();
    assertThat(readers.mayApply(Descriptor.of(Map.of("path", "/")))).isFalse();
    assertThat(readers.mayApply(Descriptor.of(Map.of("path", "/", "ip", "1.2.3.4")))).isFalse();
    Descriptor ambiguous = Descriptor.of(Map.of("path", "/", PathReadings.NAME, "/login"));
    assertThat(readers.mayApply(ambiguous)).isTrue();
    Descriptor unusable = Descriptor.of(Map.of("path", Descriptor.UNUSABLE));
    assertThat(readers.mayApply(unusable)).isTrue();
  }

  @Test
  void ruleWithoutOtherConditionsAlwaysNeedsTheValue() {
    RuleBook every = book(Rule.named("each").per(SUBJECT).limit(LIMIT));
    assertThat(every.readersOf(ValueReadersTest::isExpensive).mayApply(Descriptor.of(Map.of())))
        .isTrue();
    RuleBook none = book(Rule.named("each").per(Identity.of("header jwt")).limit(LIMIT));
    assertThat(
            none.readersOf(ValueReadersTest::isExpensive)
                .mayApply(Descriptor.of(Map.of("header jwt", "x"))))
        .isFalse();
  }

  @Test
  void valueThatIsNotNeededDoesNotChangeTheMatch() {
    long seed = Long.getLong("weir.seed", new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    int notNeeded = 0;
    int needed = 0;
    for (int i = 0; i < 300; i++) {
      RuleBook book = book(rules(random));
      ValueReaders readers = book.readersOf(ValueReadersTest::isExpensive);
      for (int j = 0; j < 30; j++) {
        Map<String, String> request = request(random);
        boolean may = readers.mayApply(Descriptor.of(request));
        assertThat(may).as("seed %d", seed).isEqualTo(isRead(book, request));
        notNeeded += may ? 0 : 1;
        needed += may ? 1 : 0;
        List<Claim> without = book.match(Descriptor.of(request)).claims();
        request.put("jwt sub", "s" + random.nextInt(3));
        request.put("jwt plan", "p" + random.nextInt(3));
        List<Claim> with = book.match(Descriptor.of(request)).claims();
        assertThat(may || with.equals(without)).as("seed %d", seed).isTrue();
      }
    }
    assertThat(notNeeded).isGreaterThan(1_000);
    assertThat(needed).isGreaterThan(1_000);
  }

  /** The reference: tests each rule, with claims that meet every condition. */
  private static boolean isRead(RuleBook book, Map<String, String> request) {
    Map<String, String> unusable = new HashMap<>(request);
    unusable.put("jwt sub", Descriptor.UNUSABLE);
    unusable.put("jwt plan", Descriptor.UNUSABLE);
    return book.explain(Descriptor.of(unusable), 0).stream()
        .filter(one -> one.rule().name().startsWith("expensive"))
        .anyMatch(one -> one.failed().isEmpty());
  }

  private static Rule.Builder[] rules(SplittableRandom random) {
    return IntStream.range(0, 1 + random.nextInt(8))
        .mapToObj(i -> rule(random, i))
        .toArray(Rule.Builder[]::new);
  }

  private static Rule.Builder rule(SplittableRandom random, int number) {
    boolean expensive = random.nextInt(3) > 0;
    Rule.Builder rule = Rule.named((expensive ? "expensive-" : "cheap-") + number).limit(LIMIT);
    rule.match(Condition.path("/" + random.nextInt(4), "/a/" + random.nextInt(4) + "/**"));
    if (random.nextBoolean()) {
      rule.match(Condition.oneOf("method", random.nextBoolean() ? "GET" : "POST"));
    }
    if (expensive && random.nextBoolean()) {
      rule.match(Condition.oneOf("jwt plan", "p" + random.nextInt(3)));
    } else if (expensive) {
      rule.per(SUBJECT);
    }
    return rule;
  }

  private static Map<String, String> request(SplittableRandom random) {
    Map<String, String> request = new HashMap<>();
    request.put("path", "/" + random.nextInt(6));
    request.put("method", random.nextBoolean() ? "GET" : "POST");
    if (random.nextInt(4) == 0) {
      request.put(PathReadings.NAME, "/a/" + random.nextInt(6) + "/x");
    }
    if (random.nextInt(9) == 0) {
      request.put("method", Descriptor.UNUSABLE);
    }
    return request;
  }

  private RuleBook book(Rule.Builder... rules) {
    List<Rule> built = new ArrayList<>();
    for (Rule.Builder rule : rules) {
      built.add(rule.build());
    }
    return RuleBook.of(built, keys);
  }
}
