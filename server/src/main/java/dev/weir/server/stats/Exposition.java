package dev.weir.server.stats;

/** Writes the text that Prometheus reads: families of samples, each with its name once. */
final class Exposition {
  private final StringBuilder out = new StringBuilder(4_096);
  private String name = "";

  /** Begins a family; until the next one, all samples are of it. */
  Exposition family(String called, String type, String help) {
    name = called;
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  /**
   * A sample.
   *
   * @param labels names and values in turn; one without a value is left out
   */
  Exposition sample(long value, String... labels) {
    return part("", Long.toString(value), labels);
  }

  /** The same of a number that may be too large to be told exactly. */
  Exposition sample(double value, String... labels) {
    return sample((long) value, labels);
  }

  /** A sample whose name goes on after that of the family. */
  Exposition part(String rest, String value, String... labels) {
    out.append(name).append(rest);
    char before = '{';
    for (int i = 0; i < labels.length; i += 2) {
      if (!labels[i + 1].isEmpty()) {
        out.append(before).append(labels[i]).append("=\"");
        escape(labels[i + 1]);
        out.append('"');
        before = ',';
      }
    }
    out.append(before == ',' ? "} " : " ").append(value).append('\n');
    return this;
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char one = text.charAt(i);
      switch (one) {
        case '\\' -> out.append("\\\\");
        case '"' -> out.append("\\\"");
        case '\n' -> out.append("\\n");
        default -> out.append(one);
      }
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
