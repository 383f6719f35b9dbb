package dev.weir.cli.terminal;

/** The style of a piece of a line; without effect on a terminal without colour. */
public enum Style {
  /** For headings. */
  BOLD("1"),

  /** For labels and details. */
  DIM("2"),

  /** For errors and denials. */
  RED("31"),

  /** For success. */
  GREEN("32"),

  /** For warnings. */
  YELLOW("33");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** A piece of a line with this style, for {@link Terminal#line}. */
  public Piece of(Object text) {
    return new Piece(this, text.toString());
  }

  /** Text with a style; {@code toString} returns the text alone. */
  public record Piece(Style style, String text) {
    String coloured() {
      return "\u001b[" + style.code + "m" + Printable.of(text) + "\u001b[0m";
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
