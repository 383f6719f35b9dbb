package dev.weir.server.metrics;

/**
 * Writes the Prometheus text exposition format: metric families and their samples. Not thread-safe.
 */
public final class Exposition {
  private final StringBuilder out = new StringBuilder(4_096);
  private String name = "";

  /** Begins a family, to which all samples until the next one belong. */
  public Exposition family(String familyName, String type, String help) {
    name = familyName;
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  /**
   * Writes a sample.
   *
   * @param labels alternating names and values; a label with an empty value is left out
   */
  public Exposition sample(long value, String... labels) {
    return part("", Long.toString(value), labels);
  }

  /** Writes a sample of a count that may be too large to be exact. */
  public Exposition sample(double value, String... labels) {
    return sample((long) value, labels);
  }

  /** Writes a sample whose name is that of the family and a suffix. */
  public Exposition part(String suffix, String value, String... labels) {
    out.append(name).append(suffix);
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
