package dev.weir.rules.domain;

import dev.weir.rule.condition.GlobIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The siblings at one depth of a domain's tree, indexed by how an entry finds them. */
final class Level {
  private static final Level EMPTY = new Level(List.of());

  /** With more patterns than this, unreachable ones are not looked for: the work is quadratic. */
  private static final int MAX_COMPARED = 5_000;

  private final List<Node> nodes;
  private final Map<Entry, Node> exact = new HashMap<>();
  private final Map<String, Node> anyValue = new HashMap<>();

  /** Patterns on the value, by key. */
  private final Map<String, GlobIndex<Node>> valuePatterns = new HashMap<>();

  /** Patterns on key and value together; null if there are none. */
  private final @Nullable GlobIndex<Node> keyPatterns;

  private Level(List<Node> nodes) {
    this.nodes = nodes;
    GlobIndex<Node> onKeys = null;
    for (Node node : nodes) {
      Branch branch = node.branch;
      boolean any = branch.value().isEmpty();
      Entry entry = new Entry(branch.key(), branch.value());
      Node duplicate = any ? anyValue.put(branch.key(), node) : exact.put(entry, node);
      if (duplicate != null) {
        throw new IllegalArgumentException(
            "descriptor: " + branch.text() + " (expected: each once among its siblings)");
      }
      if (branch.isKeyPattern()) {
        onKeys = onKeys == null ? new GlobIndex<>() : onKeys;
        onKeys.add(branch.text(), node);
      } else if (branch.isPattern()) {
        valuePatterns
            .computeIfAbsent(branch.key(), key -> new GlobIndex<>())
            .add(branch.value(), node);
      }
    }
    this.keyPatterns = onKeys;
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

  /** The exact entry, else the first pattern that matches, else the key with any value. */
  @Nullable Node find(Entry entry) {
    Node found = exact.get(entry);
    if (found == null) {
      found = findPattern(entry.key(), entry.value());
    }
    return found != null ? found : anyValue.get(entry.key());
  }

  private @Nullable Node findPattern(String key, String value) {
    GlobIndex<Node> onValue = valuePatterns.get(key);
    if (onValue == null && keyPatterns == null) {
      return null;
    }
    First first = new First();
    if (onValue != null) {
      onValue.find(value, first);
    }
    if (keyPatterns != null) {
      keyPatterns.find(key + "_" + value, first);
    }
    return first.node;
  }

  private @Nullable Node findKeyPattern(String text) {
    First first = new First();
    if (keyPatterns != null) {
      keyPatterns.find(text, first);
    }
    return first.node;
  }

  /** Keeps the node that comes first in the configuration, whatever the order of calls. */
  private static final class First implements Consumer<Node> {
    private @Nullable Node node;

    @Override
    public void accept(Node found) {
      if (node == null || found.order < node.order) {
        node = found;
      }
    }
  }

  /**
   * Reports branches that no descriptor reaches, since others come before them. If a pattern
   * matches the text of another pattern, it matches all that the other one does: no literal matches
   * a star.
   */
  void unreachable(Consumer<Branch> report) {
    boolean few = nodes.stream().filter(node -> node.branch.isPattern()).count() <= MAX_COMPARED;
    for (Node node : nodes) {
      Branch branch = node.branch;
      if (branch.isKeyPattern()) {
        if (few && findKeyPattern(branch.text()) != node) {
          report.accept(branch);
        }
      } else if (few && branch.isPattern()) {
        if (findPattern(branch.key(), branch.value()) != node) {
          report.accept(branch);
        }
      } else if (branch.value().isEmpty() && findPattern(branch.key(), "*") != null) {
        report.accept(branch);
      }
      node.children.unreachable(report);
    }
  }

  /** Visits all branches here and below, each before its children. */
  void forEach(Consumer<Branch> action) {
    for (Node node : nodes) {
      action.accept(node.branch);
      node.children.forEach(action);
    }
  }
}
