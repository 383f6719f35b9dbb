package dev.weir.rules.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random trees and descriptors: the index finds what a linear search of the tree finds. */
class DomainReferenceTest {
  private static final int TREES = 1_000;
  private static final int DESCRIPTORS = 50;

  private final long seed = Long.getLong("weir.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int rules;

  @Test
  void indexAgreesWithTheReference() {
    int matches = 0;
    for (int i = 0; i < TREES; i++) {
      List<Branch> branches = branches(3);
      Domain domain = Domain.of("d", branches);
      for (int j = 0; j < DESCRIPTORS; j++) {
        List<Entry> entries = entries();
        DomainRule expected = reference(branches, entries);
        DomainRule found = domain.match(entries).map(DescriptorMatch::rule).orElse(null);
        assertThat(found).as("seed %s: %s in %s", seed, entries, branches).isSameAs(expected);
        matches += found == null ? 0 : 1;
      }
    }
    assertThat(matches).as("seed " + seed).isGreaterThan(TREES * DESCRIPTORS / 20);
  }

  @Test
  void unreachableBranchIsNeverFound() {
    int total = 0;
    for (int i = 0; i < TREES; i++) {
      Domain domain = Domain.of("d", branches(1));
      List<Branch> unreachable = domain.unreachable();
      total += unreachable.size();
      for (int j = 0; j < DESCRIPTORS; j++) {
        List<Entry> entries = List.of(new Entry(key(0), word(4, 0)));
        DomainRule found = domain.match(entries).map(DescriptorMatch::rule).orElse(null);
        assertThat(unreachable.stream().filter(one -> one.rule() != null).map(Branch::rule))
            .as("seed %s: %s", seed, entries)
            .doesNotContain(found);
      }
    }
    assertThat(total).as("seed " + seed).isGreaterThan(TREES / 10);
  }

  /** A linear search without any index. */
  private static @Nullable DomainRule reference(List<Branch> branches, List<Entry> entries) {
    if (entries.isEmpty()) {
      return null;
    }
    Entry entry = entries.get(0);
    Branch taken = null;
    for (Branch one : branches) {
      boolean exact = !one.value().isEmpty();
      if (exact && one.key().equals(entry.key()) && one.value().equals(entry.value())) {
        taken = one;
      }
    }
    for (Branch one : branches) {
      taken = taken == null && matchesPattern(one, entry) ? one : taken;
    }
    for (Branch one : branches) {
      boolean any = one.value().isEmpty() && one.key().equals(entry.key());
      taken = taken == null && any ? one : taken;
    }
    if (taken == null) {
      return null;
    }
    return entries.size() == 1
        ? taken.rule()
        : reference(taken.children(), entries.subList(1, entries.size()));
  }

  private static boolean matchesPattern(Branch branch, Entry entry) {
    if (branch.key().contains("*")) {
      return matches(branch.text(), entry.key() + "_" + entry.value());
    }
    return branch.value().contains("*")
        && branch.key().equals(entry.key())
        && matches(branch.value(), entry.value());
  }

  private static boolean matches(String pattern, String text) {
    String regex = "\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E";
    return Pattern.compile(regex, Pattern.DOTALL).matcher(text).matches();
  }

  private List<Branch> branches(int depth) {
    List<Branch> branches = new ArrayList<>();
    Set<Entry> seen = new HashSet<>();
    for (int i = random.nextInt(8); depth > 0 && i > 0; i--) {
      int stars = random.nextInt(8) == 0 ? 2 : 0;
      Entry entry = new Entry(key(stars), word(3, random.nextInt(3)));
      if (seen.add(entry)) {
        DomainRule rule =
            random.nextInt(4) == 0 ? null : DomainTrees.rule("rule " + rules++, false);
        List<Branch> below = branches(depth - 1 - random.nextInt(2));
        branches.add(new Branch(entry.key(), entry.value(), false, false, rule, below));
      }
    }
    return branches;
  }

  private List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      entries.add(new Entry(key(0), word(4, random.nextInt(10) == 0 ? 1 : 0)));
    }
    return entries;
  }

  private String key(int stars) {
    return starred(List.of("a", "b", "a_b", "_").get(random.nextInt(4)), stars);
  }

  /** Few letters and short words, so that many patterns match. */
  private String word(int maxLength, int stars) {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(maxLength + 1); i > 0; i--) {
      word.append("ab_".charAt(random.nextInt(3)));
    }
    return starred(word.toString(), stars);
  }

  private String starred(String text, int stars) {
    StringBuilder word = new StringBuilder(text);
    for (int i = 0; i < stars; i++) {
      word.insert(random.nextInt(word.length() + 1), '*');
    }
    return word.toString();
  }
}
