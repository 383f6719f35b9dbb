package dev.weir.http.request;

import dev.weir.http.request.PathDialect.Dots;
import dev.weir.http.request.PathDialect.Parameters;
import dev.weir.http.request.PathDialect.Stops;
import dev.weir.http.request.PathDialect.Trimmed;
import org.jspecify.annotations.Nullable;

/** Makes one reading of a path in a single pass that writes segment after segment. */
final class PathReading {
  private final PathTokens tokens;
  private final PathDialect dialect;
  private final boolean ignoreCase;
  private final StringBuilder out = new StringBuilder();

  private int at;
  private int segmentStart;
  private boolean escapedDot;
  private Part part = Part.NAME;

  /** The part being read; raw and decoded parameters end at different separators. */
  private enum Part {
    NAME,
    RAW_PARAMETERS,
    DECODED_PARAMETERS
  }

  PathReading(PathTokens tokens, PathDialect dialect, boolean ignoreCase) {
    this.tokens = tokens;
    this.dialect = dialect;
    this.ignoreCase = ignoreCase;
  }

  /** The reading; null if it is too long. */
  @Nullable String read() {
    skipAuthority();
    if (at < tokens.size() && isSeparator(at)) {
      at++; // every path starts with one
    }
    startSegment();
    while (at < tokens.size() && !isEnd()) {
      if (isSeparator(at)) {
        separate();
      } else if (startsParameters()) {
        boolean raw =
            !tokens.isEscaped(at)
                && (dialect.parameters() == Parameters.RAW
                    || dialect.parameters() == Parameters.RAW_THEN_DECODED);
        if (raw || part == Part.NAME) {
          part = raw ? Part.RAW_PARAMETERS : Part.DECODED_PARAMETERS;
        }
      } else if (part == Part.NAME) {
        write();
      }
      at++;
    }
    endSegment(dialect.trimmed() != Trimmed.NONE);
    if (dialect.emptySegments()) {
      dropEmptySegments();
    }
    if (out.length() > CanonicalPath.MAX_CHARS) {
      return null;
    }
    return out.isEmpty() ? "/" : out.toString();
  }

  private void skipAuthority() {
    int slashes = 0;
    while (slashes < tokens.size() && isSeparator(slashes)) {
      slashes++;
    }
    if (dialect.authority() && slashes > 1) {
      at = slashes;
      while (at < tokens.size() && !isSeparator(at)) {
        at++;
      }
    }
  }

  private boolean isEnd() {
    boolean semicolon = tokens.value(at) == ';' && !tokens.isEscaped(at);
    boolean hash = tokens.value(at) == '#' && !tokens.isEscaped(at);
    boolean escapedEnd = tokens.isEscaped(at) && "#?".indexOf(tokens.value(at)) >= 0;
    return (semicolon && dialect.parameters() == Parameters.REST)
        || (hash && dialect.stops() != Stops.NOWHERE)
        || (escapedEnd && dialect.stops() == Stops.DECODED)
        || (dialect.stops() == Stops.ANYWHERE && tokens.isStop(at));
  }

  private boolean isSeparator(int index) {
    boolean escaped = tokens.isEscaped(index);
    return switch (tokens.value(index)) {
      case '/' -> !escaped || dialect.separators().escapedSlash();
      case '\\' ->
          escaped ? dialect.separators().escapedBackslash() : dialect.separators().backslash();
      default -> false;
    };
  }

  private boolean startsParameters() {
    if (tokens.value(at) != ';') {
      return false;
    }
    return switch (dialect.parameters()) {
      case NONE, REST -> false;
      case RAW, DECODED -> !tokens.isEscaped(at);
      case RAW_THEN_DECODED, ALL_DECODED -> true;
    };
  }

  private void write() {
    int value = tokens.value(at);
    if (tokens.isByte(at)) {
      PercentEncoding.escape(value, out);
    } else if (PercentEncoding.isHidden(value) || "%;?#/\\".indexOf(value) >= 0) {
      PercentEncoding.escapeAsUtf8(value, out);
    } else {
      escapedDot |= value == '.' && tokens.isEscaped(at);
      out.appendCodePoint(ignoreCase ? CanonicalPath.foldCase(value) : value);
    }
  }

  private void separate() {
    if (part != Part.RAW_PARAMETERS || !tokens.isEscaped(at)) {
      endSegment();
      startSegment();
    }
  }

  private void startSegment() {
    part = Part.NAME;
    escapedDot = false;
    segmentStart = out.length();
    out.append('/');
  }

  private void endSegment() {
    endSegment(dialect.trimmed() == Trimmed.ALL);
  }

  private void endSegment(boolean trimmed) {
    while (trimmed
        && (out.charAt(out.length() - 1) == '.' || out.charAt(out.length() - 1) == ' ')) {
      out.setLength(out.length() - 1);
    }
    int length = out.length() - segmentStart - 1;
    boolean resolved = dialect.dots() == Dots.ALL || (dialect.dots() == Dots.PLAIN && !escapedDot);
    boolean dot = resolved && length == 1 && out.charAt(segmentStart + 1) == '.';
    boolean parent = resolved && length == 2 && out.indexOf("..", segmentStart) == segmentStart + 1;
    if (dot || parent || (length == 0 && !dialect.emptySegments())) {
      out.setLength(segmentStart);
    }
    if (parent) {
      out.setLength(Math.max(out.lastIndexOf("/"), 0));
    }
  }

  private void dropEmptySegments() {
    int kept = 0;
    for (int i = 0; i < out.length(); i++) {
      boolean empty = out.charAt(i) == '/' && (i + 1 == out.length() || out.charAt(i + 1) == '/');
      if (!empty) {
        out.setCharAt(kept++, out.charAt(i));
      }
    }
    out.setLength(kept);
  }
}
