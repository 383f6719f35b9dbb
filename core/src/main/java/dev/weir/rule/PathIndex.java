package dev.weir.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rules whose path patterns fit a path, however many there are.
 *
 * <p>A pattern without stars is found by one look into a map. The others hang on a tree of
 * segments, at the node where their first partial star or inner {@code **} begins; only what hangs
 * on the way of the path is compared in full.
 */
final class PathIndex {
  private final Map<String, int[]> literal = new HashMap<>();
  private final Node root = new Node();
  private boolean hasTree;

  private static final class Node {
    final Map<String, Node> children = new HashMap<>();
    @Nullable Node any;
    int[] here = {};
    int[] below = {};
    final List<Rest> rest = new ArrayList<>();
  }

  private record Rest(PathPattern pattern, int rule) {}

  void add(PathPattern pattern, int rule) {
    if (pattern.isLiteral()) {
      literal.merge("/" + String.join("/", pattern.segments()), new int[] {rule}, PathIndex::plus);
      return;
    }
    hasTree = true;
    Node node = root;
    List<String> segments = pattern.segments();
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      if (segment.equals(PathPattern.ANY_SEGMENT)) {
        node.any = node.any == null ? new Node() : node.any;
        node = node.any;
      } else if (segment.equals(PathPattern.ANY_DEPTH) && i == segments.size() - 1) {
        node.below = plus(node.below, new int[] {rule});
        return;
      } else if (PathPattern.isGlob(segment)) {
        node.rest.add(new Rest(pattern, rule));
        return;
      } else {
        node = node.children.computeIfAbsent(segment, absent -> new Node());
      }
    }
    node.here = plus(node.here, new int[] {rule});
  }

  private static int[] plus(int[] rules, int[] more) {
    int[] all = java.util.Arrays.copyOf(rules, rules.length + more.length);
    System.arraycopy(more, 0, all, rules.length, more.length);
    return all;
  }

  void find(@Nullable String path, Hits hits) {
    if (path == null) {
      return;
    }
    int[] rules = literal.get(path);
    if (rules != null) {
      hits.addAll(rules);
    }
    if (hasTree) {
      walk(root, PathPattern.segments(path), 0, hits);
    }
  }

  private static void walk(Node node, List<String> path, int depth, Hits hits) {
    hits.addAll(node.below);
    for (int i = 0; i < node.rest.size(); i++) {
      Rest rest = node.rest.get(i);
      if (rest.pattern.matches(path)) {
        hits.add(rest.rule);
      }
    }
    if (depth == path.size()) {
      hits.addAll(node.here);
      return;
    }
    Node child = node.children.get(path.get(depth));
    if (child != null) {
      walk(child, path, depth + 1, hits);
    }
    if (node.any != null) {
      walk(node.any, path, depth + 1, hits);
    }
  }
}
