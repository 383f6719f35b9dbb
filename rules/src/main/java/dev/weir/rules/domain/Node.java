package dev.weir.rules.domain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A branch in its tree: it knows its parent, its children and how its metrics are named. */
final class Node {
  final Branch branch;
  final @Nullable Node parent;

  /** The index among its siblings; of several patterns that match, the first one applies. */
  final int order;

  final int depth;
  final Level children;

  /** Whether this node or one of its ancestors shares a counter. */
  private final boolean shared;

  /** The name of the metrics if it does not depend on the request; else null. */
  private final @Nullable String metric;

  Node(Branch branch, @Nullable Node parent, int order) {
    this.branch = branch;
    this.parent = parent;
    this.order = order;
    this.depth = parent == null ? 1 : parent.depth + 1;
    this.shared = branch.shared() || (parent != null && parent.shared);
    boolean exact = !branch.isPattern() && !branch.value().isEmpty();
    boolean ofRequest =
        branch.isKeyPattern() || (branch.valueInMetric() && !branch.shared() && !exact);
    String prefix = parent == null ? "" : parent.metric;
    this.metric =
        ofRequest || prefix == null
            ? null
            : prefix.isEmpty() ? branch.text() : prefix + "." + branch.text();
    this.children = Level.of(branch.children(), this);
  }

  /** The match of a descriptor that ends here. */
  DescriptorMatch match(DomainRule rule, List<Entry> entries) {
    if (metric != null && !shared && !rule.reporting().detailed()) {
      return new DescriptorMatch(rule, entries, metric);
    }
    Entry[] counted = entries.toArray(Entry[]::new);
    String[] parts = new String[depth];
    for (Node node = this; node != null; node = node.parent) {
      int i = node.depth - 1;
      Entry entry = counted[i];
      parts[i] =
          rule.reporting().detailed() ? detailedMetricPart(node, entry) : node.metricPart(entry);
      if (node.branch.shared()) {
        counted[i] = new Entry(entry.key(), node.sharedValue(entry));
      }
    }
    return new DescriptorMatch(rule, List.of(counted), String.join(".", parts));
  }

  /** The part of the pattern that replaces the value where a counter is shared. */
  private String sharedValue(Entry entry) {
    if (!branch.isKeyPattern()) {
      return branch.value();
    }
    String text = branch.text();
    String start = entry.key() + "_";
    return text.startsWith(start) ? text.substring(start.length()) : text;
  }

  private String metricPart(Entry entry) {
    boolean ofRequest = branch.valueInMetric() && !branch.shared();
    return Branch.text(entry.key(), ofRequest ? entry.value() : sharedValue(entry));
  }

  private String detailedMetricPart(Node node, Entry entry) {
    if (node.branch.shared()) {
      return Branch.text(entry.key(), node.sharedValue(entry));
    }
    // An empty value keeps its underscore, except beside a shared one: existing dashboards of
    // envoyproxy/ratelimit expect it so.
    return shared ? Branch.text(entry.key(), entry.value()) : entry.key() + "_" + entry.value();
  }
}
