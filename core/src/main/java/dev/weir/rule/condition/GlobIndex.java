package dev.weir.rule.condition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An index of globs, texts in which {@code *} stands for any characters, also none: it finds the
 * values of all globs that match a text without comparing each glob.
 *
 * <p>A glob without stars is found by one map lookup. Any other glob is indexed by one of its
 * literal pieces: its prefix, its suffix, or else a piece from the middle. Only globs whose piece
 * occurs in the text are compared in full. Values come in no particular order; a caller whose globs
 * have an order of precedence keeps the order in the values.
 *
 * <p>Add everything first: any number of threads may look up once the index is published, but not
 * while it grows.
 *
 * @param <T> what a glob stands for
 */
public final class GlobIndex<T> {
  /** Pieces are indexed by this many characters, so that one long glob cannot fill the memory. */
  private static final int MAX_PIECE = 128;

  private final Map<String, List<T>> exact = new HashMap<>();
  private final Trie<Indexed<T>> prefixes = new Trie<>();
  private final Trie<Indexed<T>> suffixes = new Trie<>();
  private final Trie<Indexed<T>> middles = new Trie<>();

  /** Values of globs without any literal piece, which match every text. */
  private final List<T> any = new ArrayList<>();

  private record Indexed<T>(String glob, T value) {}

  /** Adds a value under a glob; one glob may have several values. */
  public void add(String glob, T value) {
    if (glob.indexOf('*') < 0) {
      exact.computeIfAbsent(glob, absent -> new ArrayList<>()).add(value);
    } else if (longestPiece(glob).isEmpty()) {
      any.add(value);
    } else {
      bucket(glob).add(new Indexed<>(glob, value));
    }
  }

  /** How many values are already in the bucket that this glob would be added to. */
  int load(String glob) {
    if (glob.indexOf('*') < 0) {
      return exact.getOrDefault(glob, List.of()).size();
    }
    return longestPiece(glob).isEmpty() ? any.size() : bucket(glob).size();
  }

  /** The smaller bucket of prefix and suffix; for a glob that has neither, that of the middle. */
  private List<Indexed<T>> bucket(String glob) {
    int prefixEnd = glob.indexOf('*');
    int suffixStart = glob.lastIndexOf('*') + 1;
    String prefix = glob.substring(0, Math.min(prefixEnd, MAX_PIECE));
    String suffix = glob.substring(Math.max(suffixStart, glob.length() - MAX_PIECE));
    if (prefix.isEmpty() && suffix.isEmpty()) {
      String piece = longestPiece(glob);
      return middles.at(piece.substring(0, Math.min(piece.length(), MAX_PIECE)));
    }
    List<Indexed<T>> bySuffix = suffixes.at(new StringBuilder(suffix).reverse());
    List<Indexed<T>> byPrefix = prefixes.at(prefix);
    boolean usePrefix =
        suffix.isEmpty() || (!prefix.isEmpty() && byPrefix.size() <= bySuffix.size());
    return usePrefix ? byPrefix : bySuffix;
  }

  private static String longestPiece(String glob) {
    String longest = "";
    for (String piece : glob.split("\\*", -1)) {
      longest = piece.length() > longest.length() ? piece : longest;
    }
    return longest;
  }

  /** Calls {@code found} with the value of each glob that matches {@code text}, in any order. */
  public void find(String text, Consumer<? super T> found) {
    exact.getOrDefault(text, List.of()).forEach(found);
    any.forEach(found);
    Consumer<Indexed<T>> compare =
        indexed -> {
          if (Glob.matches(indexed.glob, text)) {
            found.accept(indexed.value);
          }
        };
    prefixes.forward(text, 0, compare);
    suffixes.backward(text, compare);
    if (!middles.isEmpty()) {
      for (int i = 0; i < text.length(); i++) {
        middles.forward(text, i, compare);
      }
    }
  }
}
