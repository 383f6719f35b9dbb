package dev.weir.cli.explain;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;

/** The layout of an explanation: headings, and below them names with values. */
final class PageLayout {
  private final Terminal out;

  PageLayout(Terminal out) {
    this.out = out;
  }

  /** Prints an empty line and a heading. */
  void heading(String text) {
    out.line();
    out.line(Style.BOLD.of(text));
  }

  /** Prints a property of the request. */
  void field(String name, String value) {
    out.line("  ", Style.DIM.of(padded(name, 8)), value);
  }

  /** Prints a property of a rule. */
  void detail(String name, String value) {
    out.line("    ", Style.DIM.of(padded(name, 13)), value);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
