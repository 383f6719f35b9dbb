package dev.weir.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who needs a value that is dear to work out, before anybody has worked it out. */
class ValueReadersTest {
  private static final Limit LIMIT = Limit.tokenBucket(5, Duration.ofSeconds(1));
  private static final Identity SUBJECT = Identity.of("jwt sub");
  private static final Map<String, Allowance> TIERS = Map.of("free", Allowance.of(LIMIT));

  private final KeySpace keys = KeySpace.withSecret(new byte[16]);

  @Test
  void aValueIsNeededWhereARuleThatReadsItMayApplyInWhateverWayItReadsIt() {
    assertNeededOnlyAt(rule -> rule.match(Condition.oneOf("jwt plan", "gold")));
    assertNeededOnlyAt(rule -> rule.per(SUBJECT));
    assertNeededOnlyAt(
        rule -> rule.per(Identity.first("caller", List.of(SUBJECT, Identity.of("ip")))));
    assertNeededOnlyAt(rule -> rule.tiers(new Tiers("jwt plan", TIERS, "free")));
    assertNeededOnlyAt(rule -> rule.cost(new Cost("jwt weight", 1, 9)));
    Special ann = Special.of(Condition.oneOf("jwt sub", "ann"), Allowance.BLOCKED);
    assertNeededOnlyAt(rule -> rule.special(ann));
    assertNeededOnlyAt(rule -> rule.tiers(new Tiers(null, TIERS, "free", List.of(ann))));
    assertNeededOnlyAt(rule -> rule.per(SUBJECT).enforced(0));
    assertNeededOnlyAt(rule -> rule.per(SUBJECT).whenAbsent(Rule.WhenAbsent.SKIP));
  }

  private static boolean isDear(String name) {
    return name.startsWith("jwt ");
  }

  private void assertNeededOnlyAt(UnaryOperator<Rule.Builder> reading) {
    Rule.Builder login = Rule.named("login").match(Condition.path("/login")).limit(LIMIT);
    RuleBook book = book(reading.apply(login), Rule.named("all").per(Identity.of("ip")));
    ValueReaders readers = book.readersOf(ValueReadersTest::isDear);
    assertThat(readers.mayApply(Descriptor.of(Map.of("path", "/login")))).isTrue();
    assertThat(readers.mayApply(Descriptor.of(Map.of("path", "/")))).isFalse();
    assertThat(readers.mayApply(Descriptor.of(Map.of("path", "/", "ip", "1.2.3.4")))).isFalse();
    Descriptor ambiguous = Descriptor.of(Map.of("path", "/", PathReadings.NAME, "/login"));
    assertThat(readers.mayApply(ambiguous)).isTrue();
    Descriptor unusable = Descriptor.of(Map.of("path", Descriptor.UNUSABLE));
    assertThat(readers.mayApply(unusable)).isTrue();
  }

  @Test
  void aRuleWithoutOtherConditionsAlwaysNeedsItAndABookWithoutSuchRulesNever() {
    RuleBook every = book(Rule.named("each").per(SUBJECT).limit(LIMIT));
    assertThat(every.readersOf(ValueReadersTest::isDear).mayApply(Descriptor.of(Map.of())))
        .isTrue();
    RuleBook none = book(Rule.named("each").per(Identity.of("header jwt")).limit(LIMIT));
    assertThat(
            none.readersOf(ValueReadersTest::isDear)
                .mayApply(Descriptor.of(Map.of("header jwt", "x"))))
        .isFalse();
  }

  @Test
  void whereItIsNotNeededNoValueChangesTheMatch() {
    long seed = Long.getLong("weir.seed", new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    int spared = 0;
    int needed = 0;
    for (int i = 0; i < 300; i++) {
      RuleBook book = book(rules(random));
      ValueReaders readers = book.readersOf(ValueReadersTest::isDear);
      for (int j = 0; j < 30; j++) {
        Map<String, String> request = request(random);
        boolean may = readers.mayApply(Descriptor.of(request));
        assertThat(may).as("seed %d", seed).isEqualTo(isRead(book, request));
        spared += may ? 0 : 1;
        needed += may ? 1 : 0;
        List<Claim> without = book.match(Descriptor.of(request)).claims();
        request.put("jwt sub", "s" + random.nextInt(3));
        request.put("jwt plan", "p" + random.nextInt(3));
        List<Claim> with = book.match(Descriptor.of(request)).claims();
        assertThat(may || with.equals(without)).as("seed %d", seed).isTrue();
      }
    }
    assertThat(spared).isGreaterThan(1_000);
    assertThat(needed).isGreaterThan(1_000);
  }

  /** The same the slow way: asks each rule, as if claims were there that meet every condition. */
  private static boolean isRead(RuleBook book, Map<String, String> request) {
    Map<String, String> whatever = new HashMap<>(request);
    whatever.put("jwt sub", Descriptor.UNUSABLE);
    whatever.put("jwt plan", Descriptor.UNUSABLE);
    return book.explain(Descriptor.of(whatever), 0).stream()
        .filter(one -> one.rule().name().startsWith("dear"))
        .anyMatch(one -> one.failed().isEmpty());
  }

  private static Rule.Builder[] rules(SplittableRandom random) {
    return IntStream.range(0, 1 + random.nextInt(8))
        .mapToObj(i -> rule(random, i))
        .toArray(Rule.Builder[]::new);
  }

  private static Rule.Builder rule(SplittableRandom random, int number) {
    boolean dear = random.nextInt(3) > 0;
    Rule.Builder rule = Rule.named((dear ? "dear-" : "cheap-") + number).limit(LIMIT);
    rule.match(Condition.path("/" + random.nextInt(4), "/a/" + random.nextInt(4) + "/**"));
    if (random.nextBoolean()) {
      rule.match(Condition.oneOf("method", random.nextBoolean() ? "GET" : "POST"));
    }
    if (dear && random.nextBoolean()) {
      rule.match(Condition.oneOf("jwt plan", "p" + random.nextInt(3)));
    } else if (dear) {
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
