package dev.weir.cli;

/** How an explanation is laid out: headings, and names with their values under them. */
final class Page {
  private final Terminal out;

  Page(Terminal out) {
    this.out = out;
  }

  void heading(String text) {
    out.line();
    out.line(Style.BOLD.of(text));
  }

  /** Something about the request. */
  void field(String name, String value) {
    out.line("  ", Style.DIM.of(padded(name, 8)), value);
  }

  /** Something about a rule. */
  void detail(String name, String value) {
    out.line("    ", Style.DIM.of(padded(name, 13)), value);
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
