package dev.weir.server.exposition;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;

/**
 * Writes the Prometheus text exposition format: metric families and their samples. Not thread-safe.
 */
public final class Exposition implements MetricSink {
  private final StringBuilder out = new StringBuilder(4_096);
  private String name = "";

  @Override
  public Exposition family(String familyName, MetricType type, String help) {
    name = familyName;
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ');
    out.append(type.name().toLowerCase(Locale.ROOT)).append('\n');
    return this;
  }

  @Override
  public Exposition sample(long value, String... labels) {
    return part("", Long.toString(value), labels);
  }

  @Override
  public Exposition seconds(long micros, String... labels) {
    return part("", BigDecimal.valueOf(micros, 6).toPlainString(), labels);
  }

  @Override
  public Exposition histogram(Buckets buckets, String... labels) {
    long cumulative = 0;
    for (int i = 0; i <= buckets.bounds(); i++) {
      cumulative += buckets.count(i);
      String bound = i < buckets.bounds() ? seconds(buckets.boundMicros(i)) : "+Inf";
      part("_bucket", Long.toString(cumulative), with(labels, "le", bound));
    }
    part("_sum", seconds(buckets.sumMicros()), labels);
    return part("_count", Long.toString(cumulative), labels);
  }

  private static String[] with(String[] labels, String name, String value) {
    String[] more = Arrays.copyOf(labels, labels.length + 2);
    more[labels.length] = name;
    more[labels.length + 1] = value;
    return more;
  }

  private static String seconds(long micros) {
    return BigDecimal.valueOf(micros, 6).stripTrailingZeros().toPlainString();
  }

  /** Writes a sample whose name is that of the family and a suffix. */
  private Exposition part(String suffix, String value, String... labels) {
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
