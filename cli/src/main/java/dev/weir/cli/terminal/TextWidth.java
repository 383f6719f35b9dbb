package dev.weir.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Measures and cuts text by the columns that it takes on a terminal.
 *
 * <p>Text passes through {@link Printable} first, so that an escaped character takes the columns of
 * its escape. Ideographs and most emoji take two columns, combining marks none. Terminals disagree
 * about a few characters; a line is cut by the terminal as well, so none of them moves another
 * line.
 */
public final class TextWidth {
  /** The first and the last of each range of characters that take two columns. */
  private static final int[][] WIDE = {
    {0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xA960, 0xA97F}, {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF}, {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD},
  };

  /** So many characters without a column of their own may follow one that has. */
  private static final int MAX_MARKS = 2;

  private TextWidth() {}

  /** How many columns a text takes. */
  public static int of(String text) {
    return Printable.of(text).codePoints().map(TextWidth::columns).sum();
  }

  /** The text in at most so many columns; if it does not fit, its end is an ellipsis. */
  public static String cut(String text, int width) {
    // No text shows more than this, and escaping a text of megabytes takes long.
    int end = (int) Math.min(text.length(), 2L * (1 + MAX_MARKS) * (width + 1L));
    String printable = Printable.of(text.substring(0, end));
    String whole = prefix(printable, width);
    if (end == text.length() && whole.length() == printable.length()) {
      return whole;
    }
    return width < 1 ? "" : prefix(printable, width - 1) + "…";
  }

  /** The text in exactly so many columns, with blanks behind it. */
  public static String fit(String text, int width) {
    String cut = cut(text, width);
    return cut + " ".repeat(Math.max(0, width - of(cut)));
  }

  /** The pieces of a line as far as they fit, with their styles. */
  static List<Object> cut(List<?> pieces, int width) {
    List<Object> kept = new ArrayList<>();
    int left = width;
    for (Object piece : pieces) {
      String text = cut(piece.toString(), left);
      kept.add(piece instanceof Style.Piece styled ? styled.style().of(text) : text);
      left -= of(text);
      if (!text.equals(Printable.of(piece.toString()))) {
        break;
      }
    }
    return kept;
  }

  /** How many columns the pieces of a line take. */
  static int of(List<?> pieces) {
    return pieces.stream().mapToInt(piece -> of(piece.toString())).sum();
  }

  /** The words of a text in lines of at most so many columns; what remains is cut off. */
  public static List<String> wrap(String text, int width, int maxLines) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : Printable.of(text).strip().split(" +", -1)) {
      boolean full = !line.isEmpty() && of(line.toString()) + 1 + of(word) > width;
      if (full && lines.size() < maxLines - 1) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    lines.replaceAll(one -> cut(one, width));
    return lines;
  }

  private static String prefix(String printable, int width) {
    int left = width;
    int marks = 0;
    int end = 0;
    while (end < printable.length()) {
      int c = printable.codePointAt(end);
      int columns = columns(c);
      marks = columns == 0 ? marks + 1 : 0;
      left -= columns;
      if (left < 0 || marks > MAX_MARKS) {
        break;
      }
      end += Character.charCount(c);
    }
    return printable.substring(0, end);
  }

  private static int columns(int codePoint) {
    int type = Character.getType(codePoint);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    for (int[] range : WIDE) {
      if (range[0] <= codePoint && codePoint <= range[1]) {
        return 2;
      }
    }
    return 1;
  }
}
