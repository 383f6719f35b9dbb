package dev.weir.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Things filed under texts with stars, of which those that fit a text are found without comparing
 * each.
 *
 * <p>A text without stars is found by one look into a map. Any other hangs on one of its literal
 * pieces: what it begins with, what it ends with, or else what it has in the middle. Only those
 * whose piece is there are compared in full.
 */
final class Globs<T> {
  private final Map<String, List<T>> exact = new HashMap<>();
  private final Trie<Filed<T>> heads = new Trie<>();
  private final Trie<Filed<T>> tails = new Trie<>();
  private final Trie<Filed<T>> middles = new Trie<>();

  /** What has no literal piece at all fits anything. */
  private final List<T> any = new ArrayList<>();

  private record Filed<T>(String glob, T thing) {}

  void add(String glob, T thing) {
    if (glob.indexOf('*') < 0) {
      exact.computeIfAbsent(glob, absent -> new ArrayList<>()).add(thing);
    } else if (piece(glob).isEmpty()) {
      any.add(thing);
    } else {
      place(glob).add(new Filed<>(glob, thing));
    }
  }

  /** How many things are already where this one would be filed. */
  int load(String glob) {
    if (glob.indexOf('*') < 0) {
      return exact.getOrDefault(glob, List.of()).size();
    }
    return piece(glob).isEmpty() ? any.size() : place(glob).size();
  }

  /** The less crowded of what it begins with and what it ends with, or else the middle. */
  private List<Filed<T>> place(String glob) {
    String head = glob.substring(0, glob.indexOf('*'));
    String tail = glob.substring(glob.lastIndexOf('*') + 1);
    if (head.isEmpty() && tail.isEmpty()) {
      return middles.at(piece(glob));
    }
    List<Filed<T>> atTail = tails.at(new StringBuilder(tail).reverse());
    List<Filed<T>> atHead = heads.at(head);
    boolean byHead = tail.isEmpty() || (!head.isEmpty() && atHead.size() <= atTail.size());
    return byHead ? atHead : atTail;
  }

  /** The longest literal piece. */
  private static String piece(String glob) {
    String longest = "";
    for (String piece : glob.split("\\*", -1)) {
      longest = piece.length() > longest.length() ? piece : longest;
    }
    return longest;
  }

  void find(String text, Consumer<? super T> found) {
    exact.getOrDefault(text, List.of()).forEach(found);
    any.forEach(found);
    Consumer<Filed<T>> compared =
        filed -> {
          if (Glob.matches(filed.glob, text)) {
            found.accept(filed.thing);
          }
        };
    heads.forward(text, 0, compared);
    tails.backward(text, compared);
    if (!middles.isEmpty()) {
      for (int i = 0; i < text.length(); i++) {
        middles.forward(text, i, compared);
      }
    }
  }
}
