package dev.weir.cli.terminal;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The output of a command, line by line.
 *
 * <p>Each piece of a line passes through {@link Printable} here, so that no caller can forget it;
 * only colour is added after that.
 */
public final class Terminal {
  private final PrintStream stream;
  private final boolean coloured;
  private final boolean live;

  /** Creates a terminal that writes UTF-8 to {@code stream}, in colour if {@code coloured}. */
  public Terminal(PrintStream stream, boolean coloured) {
    this(stream, coloured, false);
  }

  /** Creates a terminal; if it is {@code live}, lines that were written can be rewritten. */
  public Terminal(PrintStream stream, boolean coloured, boolean live) {
    this.stream = stream;
    this.coloured = coloured;
    this.live = live;
  }

  /** Whether styles take effect. */
  public boolean isColoured() {
    return coloured;
  }

  /** Whether {@link #rewrite} can take effect: somebody watches. */
  public boolean isLive() {
    return live;
  }

  /** Replaces the line that the cursor is in; empty text leaves nothing behind. */
  public void rewrite(String text) {
    if (live) {
      write("\r\u001b[K" + Printable.of(text));
    }
  }

  /** Writes a line of plain text and {@linkplain Style#of styled pieces}. */
  public void line(Object... pieces) {
    write(escaped(List.of(pieces)) + "\n");
  }

  /** The pieces of a line as this terminal shows them. */
  String escaped(List<?> pieces) {
    StringBuilder line = new StringBuilder();
    for (Object piece : pieces) {
      if (coloured && piece instanceof Style.Piece styled) {
        line.append(styled.coloured());
      } else {
        line.append(Printable.of(piece.toString()));
      }
    }
    return line.toString();
  }

  /** Writes a line of a generated script without escaping. */
  public void script(String line) {
    write(line + "\n");
  }

  /**
   * Writes a JSON document.
   *
   * @throws IllegalArgumentException if a value has no JSON form; see {@link Json#of}
   */
  public void json(@Nullable Object value) {
    write(Json.of(value) + "\n");
  }

  /** A writer without escaping, for trusted text such as help. */
  public PrintWriter writer() {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  /** Writes text that may hold control characters. */
  void write(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    stream.write(bytes, 0, bytes.length);
    stream.flush();
  }
}
