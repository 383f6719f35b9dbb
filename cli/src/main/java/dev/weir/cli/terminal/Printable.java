package dev.weir.cli.terminal;

/**
 * Escapes text so that a terminal only displays it.
 *
 * <p>Rules files, arguments and file names are untrusted. An escape sequence in them could move the
 * cursor, a newline could fake a line of output, a change of direction could reverse a name.
 */
public final class Printable {
  private Printable() {}

  /** The text on one line, with every invisible character as a Unicode escape. */
  public static String of(String text) {
    if (text.chars().allMatch(c -> ' ' <= c && c <= '~')) {
      return text;
    }
    StringBuilder visible = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (isVisible(c)) {
                visible.appendCodePoint(c);
              } else {
                visible.append(String.format(c > 0xFFFF ? "\\u{%x}" : "\\u%04x", c));
              }
            });
    return visible.toString();
  }

  private static boolean isVisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
