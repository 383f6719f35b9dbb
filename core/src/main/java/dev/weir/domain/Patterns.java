package dev.weir.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Texts in which {@code *} stands for any characters, filed by what they begin with, and those that
 * begin alike by what they end with: a thousand cost what the few cost that are like the text at
 * both ends.
 */
final class Patterns {
  private final Beginnings<Beginnings<List<Pattern>>> filed;

  /** What is between the stars. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  private record Pattern(String[] parts, Node node) {
    String end() {
      return parts[parts.length - 1];
    }

    /** Each part is taken where it first comes; no other choice leaves more to the rest. */
    boolean fits(String text) {
      int at = parts[0].length();
      int end = text.length() - end().length();
      if (at > end || !text.startsWith(parts[0]) || !text.endsWith(end())) {
        return false;
      }
      for (int i = 1; i < parts.length - 1; i++) {
        int found = text.indexOf(parts[i], at);
        at = found + parts[i].length();
        if (found < 0 || at > end) {
          return false;
        }
      }
      return true;
    }
  }

  private Patterns(List<Pattern> patterns) {
    SortedMap<String, SortedMap<String, List<Pattern>>> sorted = new TreeMap<>();
    for (Pattern pattern : patterns) {
      sorted
          .computeIfAbsent(pattern.parts[0], beginning -> new TreeMap<>())
          .computeIfAbsent(backwards(pattern.end()), end -> new ArrayList<>())
          .add(pattern);
    }
    SortedMap<String, Beginnings<List<Pattern>>> byBeginning = new TreeMap<>();
    sorted.forEach((beginning, byEnd) -> byBeginning.put(beginning, new Beginnings<>(byEnd)));
    this.filed = new Beginnings<>(byBeginning);
  }

  /** Filed in the order of the nodes. */
  static Patterns of(List<Node> nodes, Function<Node, String> pattern) {
    return new Patterns(
        nodes.stream()
            .map(node -> new Pattern(pattern.apply(node).split("\\*", -1), node))
            .toList());
  }

  private static String backwards(String text) {
    char[] letters = new char[text.length()];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = text.charAt(letters.length - 1 - i);
    }
    return new String(letters);
  }

  boolean isEmpty() {
    return filed.size() == 0;
  }

  /** The first node, in the order of nodes, that the text fits. */
  @Nullable Node first(String text) {
    Node first = null;
    String backwards = null;
    for (int i = filed.longest(text); i >= 0; i = filed.shorter(i)) {
      Beginnings<List<Pattern>> ends = filed.get(i);
      if (ends.size() == 1) {
        first = first(ends.get(0), text, first);
        continue;
      }
      backwards = backwards == null ? backwards(text) : backwards;
      for (int j = ends.longest(backwards); j >= 0; j = ends.shorter(j)) {
        first = first(ends.get(j), text, first);
      }
    }
    return first;
  }

  /** Whichever comes first: one of these, or the one that was found before. */
  private static @Nullable Node first(List<Pattern> some, String text, @Nullable Node found) {
    for (int i = 0; i < some.size(); i++) {
      Pattern pattern = some.get(i);
      if (found != null && found.order < pattern.node.order) {
        return found;
      }
      if (pattern.fits(text)) {
        return pattern.node;
      }
    }
    return found;
  }
}
