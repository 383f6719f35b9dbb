package dev.weir.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A domain of the configuration: a tree, in which each entry of a descriptor leads one level down.
 *
 * <p>At each level the exact key and value come first, then patterns in the order they are written,
 * then the key with any value. There is no way back: whoever took the exact branch never tries the
 * pattern. A rule applies where a descriptor ends, not where it passes through.
 */
public final class Domain {
  private final String name;
  private final Level top;
  private final List<DomainRule> rules;
  private final int size;
  private final boolean allOrNone;

  private Domain(String name, List<Branch> branches, boolean allOrNone) {
    this.name = name;
    this.allOrNone = allOrNone;
    this.top = Level.of(branches, null);
    List<Branch> all = new ArrayList<>();
    top.each(all::add);
    this.size = all.size();
    List<DomainRule> found = new ArrayList<>();
    for (Branch branch : all) {
      if (branch.rule() != null) {
        found.add(branch.rule());
      }
    }
    this.rules = List.copyOf(found);
  }

  public static Domain of(String name, List<Branch> branches) {
    return of(name, branches, false);
  }

  /**
   * A domain and how it is accounted.
   *
   * @param allOrNone whether a denied request is charged nowhere, also for limits that clients
   *     bring along
   */
  public static Domain of(String name, List<Branch> branches, boolean allOrNone) {
    return new Domain(name, branches, allOrNone);
  }

  public String name() {
    return name;
  }

  /** Whether a denied request is charged nowhere. */
  public boolean isAllOrNone() {
    return allOrNone;
  }

  /** What applies to a descriptor, if anything does. */
  public Optional<Hit> match(List<Entry> entries) {
    Node node = null;
    for (Entry entry : entries) {
      node = (node == null ? top : node.below).find(entry);
      if (node == null) {
        return Optional.empty();
      }
    }
    return node == null ? Optional.empty() : hit(node, node.branch.rule(), entries);
  }

  private static Optional<Hit> hit(Node node, @Nullable DomainRule rule, List<Entry> entries) {
    return rule == null ? Optional.empty() : Optional.of(node.hit(rule, entries));
  }

  /** All that it says, in the order of the configuration. */
  public List<DomainRule> rules() {
    return rules;
  }

  /** How many branches its tree has. */
  public int size() {
    return size;
  }

  /** Branches that no descriptor gets to, since others take all that would fit them. */
  public List<Branch> hidden() {
    List<Branch> hidden = new ArrayList<>();
    top.hidden(hidden::add);
    return hidden;
  }
}
