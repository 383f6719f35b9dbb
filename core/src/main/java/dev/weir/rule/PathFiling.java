package dev.weir.rule;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rules whose path patterns fit a path, however many there are.
 *
 * <p>A pattern without stars is found by one look into a map. The others hang on a tree of
 * segments, up to their first inner {@code **}. What comes after one may be anywhere below, so such
 * a pattern is filed there under one of its later segments, and compared in full if the path has
 * that segment.
 */
final class PathFiling implements Condition.Filing {
  private final Map<String, Hits> literal = new HashMap<>();
  private final Node root = new Node();
  private boolean hasTree;

  private static final class Node {
    final Map<String, Node> children = new HashMap<>();
    @Nullable Node any;
    final Map<String, Node> partial = new HashMap<>();
    final Globs<Node> partials = new Globs<>();
    final Hits here = new Hits();
    final Hits below = new Hits();
    @Nullable Globs<Rest> scattered;
  }

  private record Rest(PathPattern pattern, int number) {}

  @Override
  public void add(Condition condition, int number) {
    ((Condition.Path) condition).patterns().forEach(pattern -> add(pattern, number));
  }

  private void add(PathPattern pattern, int number) {
    List<String> segments = pattern.segments();
    if (pattern.isLiteral()) {
      String path = "/" + String.join("/", segments);
      literal.computeIfAbsent(path, absent -> new Hits()).add(number);
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
        scatter(node, new Rest(pattern, number), segments.subList(i + 1, segments.size()));
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

  /** Files a pattern under the least crowded of the segments that come after its {@code **}. */
  private static void scatter(Node node, Rest rest, List<String> after) {
    List<String> segments =
        after.stream().filter(one -> !one.equals(PathPattern.ANY_DEPTH)).toList();
    if (segments.isEmpty()) {
      node.below.add(rest.number);
      return;
    }
    Globs<Rest> scattered = node.scattered == null ? new Globs<>() : node.scattered;
    node.scattered = scattered;
    String best =
        segments.stream()
            .filter(one -> !one.equals(PathPattern.ANY_SEGMENT))
            .min(Comparator.comparingInt(scattered::load))
            .orElse(PathPattern.ANY_SEGMENT);
    scattered.add(best, rest);
  }

  @Override
  public void find(String path, IntConsumer met) {
    Hits exactly = literal.get(path);
    if (exactly != null) {
      exactly.forEach(met);
    }
    if (hasTree) {
      walk(root, PathPattern.segments(path), 0, met);
    }
  }

  private static void walk(Node node, List<String> path, int depth, IntConsumer met) {
    node.below.forEach(met);
    if (node.scattered != null) {
      scattered(node.scattered, path, depth, met);
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

  private static void scattered(
      Globs<Rest> scattered, List<String> path, int depth, IntConsumer met) {
    Set<Rest> candidates = new HashSet<>(); // each compared once, however often it is found
    for (int i = depth; i < path.size(); i++) {
      scattered.find(path.get(i), candidates::add);
    }
    for (Rest rest : candidates) {
      if (rest.pattern.matches(path)) {
        met.accept(rest.number);
      }
    }
  }
}
