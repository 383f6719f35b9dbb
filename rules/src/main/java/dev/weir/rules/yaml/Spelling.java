package dev.weir.rules.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that a misspelt one stands for. */
public final class Spelling {
  private static final int MAX_LENGTH = 40;

  /** More words than this do not help a reader. */
  private static final int MAX_WORDS = 30;

  private Spelling() {}

  /** What an error says was expected: the nearest word if one is near, else all words. */
  public static String expected(String written, Collection<String> known) {
    return nearest(written, known)
        .map(word -> word + "; did you mean that?")
        .orElseGet(() -> "one of " + listed(known));
  }

  /** The words in alphabetical order, shortened if there are many. */
  public static String listed(Collection<String> words) {
    List<String> shown =
        words.stream().sorted().distinct().limit(MAX_WORDS).map(Problems::shown).toList();
    return String.join(", ", shown) + (words.size() > MAX_WORDS ? ", …" : "");
  }

  /** The word with the smallest edit distance, if that is small. */
  public static Optional<String> nearest(String written, Collection<String> known) {
    Optional<String> same = known.stream().filter(written::equalsIgnoreCase).sorted().findFirst();
    if (same.isPresent()) {
      return same;
    }
    if (written.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    return known.stream()
        .filter(word -> isNear(written, word))
        .min(
            Comparator.<String>comparingInt(word -> distance(written, word)).thenComparing(w -> w));
  }

  private static boolean isNear(String written, String word) {
    int max = 1 + Math.min(word.length(), written.length()) / 4;
    return Math.abs(word.length() - written.length()) <= max && distance(written, word) <= max;
  }

  /** The edit distance with swaps of neighbours (optimal string alignment), ignoring case. */
  private static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT).replace('_', '-');
    String b = other.toLowerCase(Locale.ROOT).replace('_', '-');
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(d[i - 1][j - 1] + same, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], 1 + d[i - 2][j - 2]);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
