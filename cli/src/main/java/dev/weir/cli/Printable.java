package dev.weir.cli;

/**
 * Text that has no effect on a terminal but to be read.
 *
 * <p>Rules files, arguments and file names come from anywhere. An escape sequence in them could
 * move the cursor, a newline fake a line of ours, a change of direction turn a name around.
 */
final class Printable {
  private Printable() {}

  /** The text on one line, with every character that cannot be seen written as its number. */
  static String of(String text) {
    if (text.chars().allMatch(c -> ' ' <= c && c <= '~')) {
      return text;
    }
    StringBuilder seen = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (isVisible(c)) {
                seen.appendCodePoint(c);
              } else {
                seen.append(String.format(c > 0xFFFF ? "\\u{%x}" : "\\u%04x", c));
              }
            });
    return seen.toString();
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
