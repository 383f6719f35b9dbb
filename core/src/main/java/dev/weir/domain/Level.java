package dev.weir.domain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What may stand at one place of a descriptor, filed by how it is found. */
final class Level {
  private static final Level EMPTY = new Level(List.of());

  /** Among more patterns than this nobody looks for those that others hide. */
  private static final int MAX_COMPARED = 5_000;

  private final List<Node> nodes;
  private final Map<Entry, Node> exact = new HashMap<>();
  private final Map<String, Node> anyValue = new HashMap<>();

  /** Patterns on the value, by key. */
  private final Map<String, Patterns> patterns = new HashMap<>();

  private final Patterns across;

  private Level(List<Node> nodes) {
    this.nodes = nodes;
    Map<String, List<Node>> byKey = new HashMap<>();
    List<Node> onBoth = new ArrayList<>();
    for (Node node : nodes) {
      Branch branch = node.branch;
      boolean any = branch.value().isEmpty();
      Entry entry = new Entry(branch.key(), branch.value());
      Node same = any ? anyValue.put(branch.key(), node) : exact.put(entry, node);
      if (same != null) {
        throw new IllegalArgumentException(
            "descriptor: " + branch.text() + " (expected: each once in its place)");
      }
      if (branch.isAcross()) {
        onBoth.add(node);
      } else if (branch.isPattern()) {
        byKey.computeIfAbsent(branch.key(), key -> new ArrayList<>()).add(node);
      }
    }
    byKey.forEach((key, some) -> patterns.put(key, Patterns.of(some, one -> one.branch.value())));
    this.across = Patterns.of(onBoth, one -> one.branch.text());
  }

  static Level of(List<Branch> branches, @Nullable Node parent) {
    if (branches.isEmpty()) {
      return EMPTY;
    }
    List<Node> nodes = new ArrayList<>();
    for (Branch branch : branches) {
      nodes.add(new Node(branch, parent, nodes.size()));
    }
    return new Level(nodes);
  }

  /** The exact entry, or the first pattern that fits, or what takes any value of the key. */
  @Nullable Node find(Entry entry) {
    Node found = exact.get(entry);
    if (found == null) {
      found = pattern(entry.key(), entry.value());
    }
    return found != null ? found : anyValue.get(entry.key());
  }

  private @Nullable Node pattern(String key, String value) {
    Patterns own = patterns.get(key);
    Node found = own == null ? null : own.first(value);
    if (across.isEmpty()) {
      return found;
    }
    Node other = across.first(key + "_" + value);
    return other == null || (found != null && found.order < other.order) ? found : other;
  }

  /**
   * Those that no descriptor gets to, since others come before them. What a pattern fits, another
   * one fits too if it fits the pattern itself, taken for a text: no literal fits its stars.
   */
  void hidden(Consumer<Branch> hidden) {
    boolean few = nodes.stream().filter(node -> node.branch.isPattern()).count() <= MAX_COMPARED;
    for (Node node : nodes) {
      Branch branch = node.branch;
      if (branch.isAcross()) {
        if (few && across.first(branch.text()) != node) {
          hidden.accept(branch);
        }
      } else if (few && branch.isPattern()) {
        if (pattern(branch.key(), branch.value()) != node) {
          hidden.accept(branch);
        }
      } else if (branch.value().isEmpty() && pattern(branch.key(), "*") != null) {
        hidden.accept(branch);
      }
      node.below.hidden(hidden);
    }
  }

  /** All that is here and below. */
  void each(Consumer<Branch> action) {
    for (Node node : nodes) {
      action.accept(node.branch);
      node.below.each(action);
    }
  }
}
