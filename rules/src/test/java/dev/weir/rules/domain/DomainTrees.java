package dev.weir.rules.domain;

import dev.weir.rule.FailureMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Short forms for trees and descriptors. */
final class DomainTrees {
  private DomainTrees() {}

  /** A rule that is known by its path. */
  static DomainRule rule(String path, boolean detailed) {
    return new DomainRule(
        path,
        DomainRule.Rate.of(1, Unit.SECOND, false),
        "",
        Set.of(),
        DomainRule.Enforcement.of(FailureMode.ALLOW),
        new DomainRule.Reporting(detailed, Map.of(), 0));
  }

  /** A limit on {@code key} or {@code key=value}, known by that text. */
  static Branch limit(String entry, Branch... below) {
    return branch(entry, rule(entry, false), below);
  }

  /** A branch without a limit. */
  static Branch pass(String entry, Branch... below) {
    return branch(entry, null, below);
  }

  private static Branch branch(String entry, @Nullable DomainRule rule, Branch... below) {
    Entry parts = entry(entry);
    return new Branch(parts.key(), parts.value(), false, false, rule, List.of(below));
  }

  static Branch shared(Branch one) {
    return new Branch(
        one.key(), one.value(), true, one.valueInMetric(), one.rule(), one.children());
  }

  static Branch valueInMetric(Branch one) {
    return new Branch(one.key(), one.value(), one.shared(), true, one.rule(), one.children());
  }

  static Branch detailed(Branch one) {
    DomainRule rule = rule("detailed", true);
    return new Branch(
        one.key(), one.value(), one.shared(), one.valueInMetric(), rule, one.children());
  }

  static Domain domain(Branch... branches) {
    return Domain.of("shop", List.of(branches));
  }

  private static Entry entry(String text) {
    int at = text.indexOf('=');
    return at < 0 ? new Entry(text, "") : new Entry(text.substring(0, at), text.substring(at + 1));
  }

  /** A descriptor such as {@code "a=b c=d"}. */
  static List<Entry> entries(String text) {
    List<Entry> entries = new ArrayList<>();
    for (String one : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      entries.add(entry(one));
    }
    return entries;
  }
}
