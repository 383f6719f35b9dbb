package dev.weir.rule.condition;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rules whose path patterns match a path, however many there are.
 *
 * <p>A pattern without stars is found by one map lookup. The others are in a tree of segments, up
 * to their first inner {@code **}. The segments after it may occur anywhere below, so the tree node
 * indexes such a pattern by one of them, and compares it in full if the path has that segment.
 */
final class PathIndex implements Condition.Index {
  private final Map<String, IntList> literal = new HashMap<>();
  private final Node root = new Node();
  private boolean hasTree;

  private static final class Node {
    final Map<String, Node> children = new HashMap<>();
    @Nullable Node any;
    final Map<String, Node> partial = new HashMap<>();
    final GlobIndex<Node> partials = new GlobIndex<>();

    /** Patterns that end at this node. */
    final IntList here = new IntList();

    /** Patterns that end at this node with {@code **}. */
    final IntList below = new IntList();

    /** Patterns with an inner {@code **} at this node. */
    @Nullable GlobIndex<DeepPattern> deep;
  }

  private record DeepPattern(PathPattern pattern, int number) {}

  @Override
  public void add(Condition condition, int number) {
    ((Condition.Path) condition).patterns().forEach(pattern -> add(pattern, number));
  }

  private void add(PathPattern pattern, int number) {
    List<String> segments = pattern.segments();
    if (pattern.isLiteral()) {
      String path = "/" + String.join("/", segments);
      literal.computeIfAbsent(path, absent -> new IntList()).add(number);
      return;
    }
    hasTree = true;
    Node node = root;
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      if (segment.equals(PathPattern.ANY_SEGMENT)) {
        node.any = node.any == null ? new Node() : node.any;
        node = node.any;
      } else if (segment.equals(PathPattern.ANY_DEPTH)) {
        addDeep(node, new DeepPattern(pattern, number), segments.subList(i + 1, segments.size()));
        return;
      } else if (PathPattern.isGlob(segment)) {
        node = partial(node, segment);
      } else {
        node = node.children.computeIfAbsent(segment, absent -> new Node());
      }
    }
    node.here.add(number);
  }

  private static Node partial(Node node, String glob) {
    Node child = node.partial.get(glob);
    if (child == null) {
      child = new Node();
      node.partial.put(glob, child);
      node.partials.add(glob, child);
    }
    return child;
  }

  /** Indexes a pattern by the most selective of the segments after its {@code **}. */
  private static void addDeep(Node node, DeepPattern added, List<String> after) {
    List<String> segments =
        after.stream().filter(one -> !one.equals(PathPattern.ANY_DEPTH)).toList();
    if (segments.isEmpty()) {
      node.below.add(added.number);
      return;
    }
    GlobIndex<DeepPattern> deep = node.deep == null ? new GlobIndex<>() : node.deep;
    node.deep = deep;
    String best =
        segments.stream()
            .filter(one -> !one.equals(PathPattern.ANY_SEGMENT))
            .min(Comparator.comparingInt(deep::load))
            .orElse(PathPattern.ANY_SEGMENT);
    deep.add(best, added);
  }

  @Override
  public void find(String path, IntConsumer met) {
    IntList exact = literal.get(path);
    if (exact != null) {
      exact.forEach(met);
    }
    if (hasTree) {
      walk(root, PathPattern.segments(path), 0, met);
    }
  }

  private static void walk(Node node, List<String> path, int depth, IntConsumer met) {
    node.below.forEach(met);
    if (node.deep != null) {
      findDeep(node.deep, path, depth, met);
    }
    if (depth == path.size()) {
      node.here.forEach(met);
      return;
    }
    String segment = path.get(depth);
    Node child = node.children.get(segment);
    if (child != null) {
      walk(child, path, depth + 1, met);
    }
    if (node.any != null) {
      walk(node.any, path, depth + 1, met);
    }
    if (!node.partial.isEmpty()) {
      node.partials.find(segment, partial -> walk(partial, path, depth + 1, met));
    }
  }

  private static void findDeep(
      GlobIndex<DeepPattern> deep, List<String> path, int depth, IntConsumer met) {
    Set<DeepPattern> candidates = new HashSet<>(); // compares each once, however often it is found
    for (int i = depth; i < path.size(); i++) {
      deep.find(path.get(i), candidates::add);
    }
    for (DeepPattern candidate : candidates) {
      if (candidate.pattern.matches(path)) {
        met.accept(candidate.number);
      }
    }
  }
}
