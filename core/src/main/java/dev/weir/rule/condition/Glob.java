package dev.weir.rule.condition;

/** Matches globs: text in which {@code *} stands for any number of characters, also none. */
final class Glob {
  private Glob() {}

  /**
   * Whether {@code text} matches. On a mismatch only the last star takes one character more, so the
   * work is bounded by the product of the lengths, whatever a client sends.
   */
  static boolean matches(String glob, String text) {
    int g = 0;
    int t = 0;
    int star = -1;
    int starred = 0;
    while (t < text.length()) {
      if (g < glob.length() && glob.charAt(g) == '*') {
        star = g++;
        starred = t;
      } else if (g < glob.length() && glob.charAt(g) == text.charAt(t)) {
        g++;
        t++;
      } else if (star >= 0) {
        g = star + 1;
        t = ++starred;
      } else {
        return false;
      }
    }
    while (g < glob.length() && glob.charAt(g) == '*') {
      g++;
    }
    return g == glob.length();
  }
}
