package dev.weir.http;

/** One reading of a path, made in a single pass that writes segment after segment. */
final class PathReading {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final String raw;
  private final int end;
  private final boolean foldCase;
  private final boolean everyDelimiter;
  private final StringBuilder out = new StringBuilder();

  private int at;
  private int segmentStart;
  private boolean inParameters;
  private boolean ambiguous;

  /**
   * @param everyDelimiter whether escaped slashes and backslashes separate segments, and semicolons
   *     begin parameters
   */
  PathReading(String raw, int start, int end, boolean foldCase, boolean everyDelimiter) {
    this.raw = raw;
    this.at = start;
    this.end = end;
    this.foldCase = foldCase;
    this.everyDelimiter = everyDelimiter;
  }

  String read() {
    startSegment();
    while (at < end) {
      char c = raw.charAt(at);
      switch (c) {
        case '/' -> {
          at++;
          separate();
        }
        case '\\' -> {
          at++;
          slash(c);
        }
        case ';' -> {
          at++;
          semicolon();
        }
        case '%' -> percent();
        default -> {
          int codePoint = raw.codePointAt(at);
          at += Character.charCount(codePoint);
          character(codePoint);
        }
      }
    }
    endSegment();
    if (out.length() > CanonicalPath.MOST_CHARS) {
      cut();
    }
    return out.isEmpty() ? "/" : out.toString();
  }

  /** Whether a delimiter was read that others take for a part of a name. */
  boolean isAmbiguous() {
    return ambiguous;
  }

  private void percent() {
    if (!Percent.isByte(raw, at, end)) {
      at++;
      character('%'); // a stray sign stands for itself
      return;
    }
    int first = Percent.byteAt(raw, at);
    int length = Percent.utf8Length(raw, at, end);
    if (length == 0) {
      at += 3;
      escape(first);
      return;
    }
    int codePoint = Percent.codePoint(raw, at, length);
    at += 3 * length;
    if (codePoint == '/' || codePoint == '\\') {
      slash((char) codePoint);
    } else {
      character(codePoint);
    }
  }

  private void slash(char c) {
    ambiguous = true;
    if (everyDelimiter) {
      separate();
    } else {
      escape(c);
    }
  }

  private void semicolon() {
    ambiguous = true;
    if (everyDelimiter) {
      inParameters = true;
    } else {
      escape(';');
    }
  }

  private void character(int codePoint) {
    if (codePoint < ' '
        || (codePoint >= 0x7F && codePoint <= 0x9F)
        || "%;?#".indexOf(codePoint) >= 0
        || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE)) {
      escapeAsUtf8(codePoint);
    } else if (!inParameters) {
      out.appendCodePoint(foldCase ? CanonicalPath.folded(codePoint) : codePoint);
    }
  }

  /** All that comes here is below 0x10000; half a surrogate pair is written as if it were whole. */
  private void escapeAsUtf8(int codePoint) {
    if (codePoint < 0x80) {
      escape(codePoint);
    } else if (codePoint < 0x800) {
      escape(0xC0 | codePoint >> 6);
      escape(0x80 | (codePoint & 0x3F));
    } else {
      escape(0xE0 | codePoint >> 12);
      escape(0x80 | (codePoint >> 6 & 0x3F));
      escape(0x80 | (codePoint & 0x3F));
    }
  }

  private void escape(int value) {
    if (!inParameters) {
      out.append('%').append(HEX[value >> 4]).append(HEX[value & 0xF]);
    }
  }

  private void separate() {
    endSegment();
    startSegment();
  }

  private void startSegment() {
    inParameters = false;
    segmentStart = out.length();
    out.append('/');
  }

  private void endSegment() {
    int length = out.length() - segmentStart - 1;
    boolean dot = length == 1 && out.charAt(segmentStart + 1) == '.';
    boolean dots = length == 2 && out.indexOf("..", segmentStart) == segmentStart + 1;
    if (length == 0 || dot || dots) {
      out.setLength(segmentStart);
    }
    if (dots) {
      out.setLength(Math.max(out.lastIndexOf("/"), 0));
    }
  }

  /** Cuts the path so that what is left is canonical: no half character, escape or segment. */
  private void cut() {
    int most = CanonicalPath.MOST_CHARS;
    for (int i = most - 2; i < most; i++) {
      if (out.charAt(i) == '%') {
        most = i;
      }
    }
    // One character in several escapes would be cut into bytes, which stand for themselves.
    if (Character.isHighSurrogate(out.charAt(most - 1))) {
      most--;
    }
    out.setLength(most);
    segmentStart = out.lastIndexOf("/");
    endSegment();
  }
}
