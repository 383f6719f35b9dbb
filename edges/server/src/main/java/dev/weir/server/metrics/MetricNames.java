package dev.weir.server.metrics;

import java.util.regex.Pattern;

/** Makes safe metric names and label values of texts from operators and clients. */
final class MetricNames {
  /** The label of everything beyond a bound. */
  static final String OTHER = "other";

  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-zA-Z0-9_]");

  private MetricNames() {}

  /** Replaces control characters, which could end lines, and unpaired surrogates. */
  static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(one -> Character.isISOControl(one) || isSurrogate(one) ? '_' : one)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  /** Makes a statsd name, in which dots separate parts, and colons and bars end the name. */
  static String statsd(String path) {
    String text = path.replace(':', '_').replace('|', '_');
    return IPV4.matcher(text).replaceAll(found -> found.group().replace('.', '_'));
  }

  /** Makes a part of a metric name. */
  static String metricNamePart(String text) {
    return NOT_IN_NAMES.matcher(text).replaceAll("_");
  }
}
