package dev.weir.rules.domain;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/**
 * A domain of the configuration: a tree in which each entry of a descriptor leads one level down.
 * Immutable and safe for concurrent use.
 *
 * <p>At each level the exact key and value come first, then patterns in the order they are written,
 * then the key with any value. Matching does not backtrack: a descriptor that took the exact branch
 * never tries the pattern. A rule applies where a descriptor ends, not where it passes through.
 */
public final class Domain {
  private final String name;
  private final List<Branch> branches;
  private final Level root;
  private final List<DomainRule> rules;
  private final int size;
  private final boolean allOrNone;

  private Domain(String name, List<Branch> branches, boolean allOrNone) {
    this.name = name;
    this.allOrNone = allOrNone;
    this.branches = List.copyOf(branches);
    this.root = Level.of(branches, null);
    List<Branch> all = new ArrayList<>();
    root.forEach(all::add);
    this.size = all.size();
    List<DomainRule> found = new ArrayList<>();
    for (Branch branch : all) {
      if (branch.rule() != null) {
        found.add(branch.rule());
      }
    }
    this.rules = List.copyOf(found);
  }

  /**
   * A domain that charges a request also where another limit denies it.
   *
   * @throws IllegalArgumentException if siblings have the same key and value
   */
  public static Domain of(String name, List<Branch> branches) {
    return of(name, branches, false);
  }

  /**
   * A domain with either kind of accounting.
   *
   * @param allOrNone whether a denied request is charged nowhere, also for limits that clients send
   *     in the request
   * @throws IllegalArgumentException if siblings have the same key and value
   */
  public static Domain of(String name, List<Branch> branches, boolean allOrNone) {
    return new Domain(name, branches, allOrNone);
  }

  /** The name that clients send. */
  public String name() {
    return name;
  }

  /** Whether a denied request is charged nowhere. */
  public boolean isAllOrNone() {
    return allOrNone;
  }

  /** The rule that applies to a descriptor, if any. */
  public Optional<DescriptorMatch> match(List<Entry> entries) {
    Node node = null;
    for (Entry entry : entries) {
      node = (node == null ? root : node.children).find(entry);
      if (node == null) {
        return Optional.empty();
      }
    }
    DomainRule rule = node == null ? null : node.branch.rule();
    return node == null || rule == null ? Optional.empty() : Optional.of(node.match(rule, entries));
  }

  /** All rules, in the order of the configuration. */
  public List<DomainRule> rules() {
    return rules;
  }

  /**
   * The name of a rule of this domain among the rules of all domains, and beside our own rules: the
   * domain, a slash, and the keys and values of the descriptor joined by dots, as in {@code
   * shop/key_value.key}. Rules whose descriptors are written the same share it.
   */
  public String nameOf(DomainRule rule) {
    String start = name + ".";
    String path = rule.path();
    return name + "/" + (path.startsWith(start) ? path.substring(start.length()) : path);
  }

  /** This domain with some of its rules replaced; the same object if it has none of them. */
  Domain adjusted(IdentityHashMap<DomainRule, DomainRule> adjusted) {
    return rules.stream().noneMatch(adjusted::containsKey)
        ? this
        : new Domain(name, adjusted(branches, adjusted), allOrNone);
  }

  private static List<Branch> adjusted(
      List<Branch> branches, IdentityHashMap<DomainRule, DomainRule> adjusted) {
    List<Branch> all = new ArrayList<>();
    for (Branch one : branches) {
      DomainRule rule = one.rule();
      all.add(
          new Branch(
              one.key(),
              one.value(),
              one.shared(),
              one.valueInMetric(),
              rule == null ? null : adjusted.getOrDefault(rule, rule),
              adjusted(one.children(), adjusted)));
    }
    return all;
  }

  /** The number of branches in the tree. */
  public int size() {
    return size;
  }

  /** Branches that no descriptor reaches, since others match first all that they match. */
  public List<Branch> unreachable() {
    List<Branch> unreachable = new ArrayList<>();
    root.unreachable(unreachable::add);
    return unreachable;
  }
}
