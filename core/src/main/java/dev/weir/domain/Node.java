package dev.weir.domain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A branch where it grows: knows its way back to the root, and what is below. */
final class Node {
  final Branch branch;
  final @Nullable Node parent;

  /** Its place among its siblings; of several patterns that fit, the first one counts. */
  final int order;

  final int depth;
  final Level below;

  /** Whether it, or one on the way to it, shares a counter. */
  private final boolean shared;

  /** What metrics are kept under if that does not hang on the request; else null. */
  private final @Nullable String metric;

  Node(Branch branch, @Nullable Node parent, int order) {
    this.branch = branch;
    this.parent = parent;
    this.order = order;
    this.depth = parent == null ? 1 : parent.depth + 1;
    this.shared = branch.shared() || (parent != null && parent.shared);
    boolean exact = !branch.isPattern() && !branch.value().isEmpty();
    boolean told = branch.isAcross() || (branch.valueInMetric() && !branch.shared() && !exact);
    String before = parent == null ? "" : parent.metric;
    this.metric =
        told || before == null
            ? null
            : before.isEmpty() ? branch.text() : before + "." + branch.text();
    this.below = Level.of(branch.below(), this);
  }

  /** What a descriptor meets that ends here. */
  Hit hit(DomainRule rule, List<Entry> entries) {
    if (metric != null && !shared && !rule.detailed()) {
      return new Hit(rule, entries, metric);
    }
    Entry[] counted = entries.toArray(Entry[]::new);
    String[] told = new String[depth];
    for (Node node = this; node != null; node = node.parent) {
      int i = node.depth - 1;
      Entry entry = counted[i];
      told[i] = rule.detailed() ? detailed(node, entry) : node.told(entry);
      if (node.branch.shared()) {
        counted[i] = new Entry(entry.key(), node.pattern(entry));
      }
    }
    return new Hit(rule, List.of(counted), String.join(".", told));
  }

  /** The part of the pattern that stands for the value. */
  private String pattern(Entry entry) {
    if (!branch.isAcross()) {
      return branch.value();
    }
    String text = branch.text();
    String start = entry.key() + "_";
    return text.startsWith(start) ? text.substring(start.length()) : text;
  }

  private String told(Entry entry) {
    boolean own = branch.valueInMetric() && !branch.shared();
    return Branch.text(entry.key(), own ? entry.value() : pattern(entry));
  }

  private String detailed(Node node, Entry entry) {
    if (node.branch.shared()) {
      return Branch.text(entry.key(), node.pattern(entry));
    }
    // An empty value leaves its underscore, but not beside a shared one: dashboards have it so.
    return shared ? Branch.text(entry.key(), entry.value()) : entry.key() + "_" + entry.value();
  }
}
