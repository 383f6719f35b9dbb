package dev.weir.cli;

/** How a piece of a line looks where there is colour; elsewhere it looks like the rest. */
enum Style {
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** A piece of a line, to be given to {@link Terminal#line}. */
  Piece of(Object text) {
    return new Piece(this, text.toString());
  }

  record Piece(Style style, String text) {
    String coloured() {
      return "\u001b[" + style.code + "m" + Printable.of(text) + "\u001b[0m";
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
