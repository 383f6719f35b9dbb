package dev.weir.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes lines.
 *
 * <p>Everything goes through {@link Printable}, piece by piece, so that nobody has to remember it;
 * only colour is added after that.
 */
final class Terminal {
  private final PrintStream stream;
  private final boolean coloured;

  /** Writes UTF-8 to {@code stream}; in colour, if somebody is going to see it. */
  Terminal(PrintStream stream, boolean coloured) {
    this.stream = stream;
    this.coloured = coloured;
  }

  boolean isColoured() {
    return coloured;
  }

  /** A line of plain text and {@linkplain Style#of pieces} with style. */
  void line(Object... pieces) {
    StringBuilder line = new StringBuilder();
    for (Object piece : pieces) {
      if (coloured && piece instanceof Style.Piece styled) {
        line.append(styled.coloured());
      } else {
        line.append(Printable.of(piece.toString()));
      }
    }
    write(line.append('\n').toString());
  }

  /** A line of a script of ours, as it is. */
  void script(String line) {
    write(line + "\n");
  }

  /** A JSON document. */
  void json(@Nullable Object value) {
    write(Json.of(value) + "\n");
  }

  /** For text that is ours alone, such as help. */
  PrintWriter writer() {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  private void write(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    stream.write(bytes, 0, bytes.length);
    stream.flush();
  }
}
