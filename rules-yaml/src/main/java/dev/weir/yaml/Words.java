package dev.weir.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the word somebody meant. */
final class Words {
  private static final int MAX_LENGTH = 40;

  private Words() {}

  /** What was expected, with the nearest word first if one is near. */
  static String expected(String written, Collection<String> known) {
    String all = "one of " + String.join(", ", new TreeSet<>(known));
    return nearest(written, known).map(word -> word + "; did you mean that?").orElse(all);
  }

  /** The word that takes the fewest keystrokes to get to, if those are few. */
  static Optional<String> nearest(String written, Collection<String> known) {
    if (written.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    return known.stream()
        .filter(
            word -> distance(written, word) <= 1 + Math.min(word.length(), written.length()) / 4)
        .min(
            Comparator.<String>comparingInt(word -> distance(written, word)).thenComparing(w -> w));
  }

  /** Letters to insert, drop, change or swap with their neighbour; upper case is lower case. */
  private static int distance(String one, String other) {
    String a = one.toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    String b = other.toLowerCase(java.util.Locale.ROOT);
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
