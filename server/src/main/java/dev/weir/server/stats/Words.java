package dev.weir.server.stats;

import java.util.regex.Pattern;

/** Makes names of what operators and clients wrote, so that one name is one line. */
final class Words {
  /** What a name is told as that would be one too many. */
  static final String OTHER = "other";

  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  private static final Pattern NOT_IN_NAMES = Pattern.compile("[^a-zA-Z0-9_]");

  private Words() {}

  /** Without what ends lines, or could not be written. */
  static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(one -> Character.isISOControl(one) || isHalf(one) ? '_' : one)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isHalf(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  /** As in the language of statsd, where dots part names, and colons and bars end them. */
  static String statsd(String path) {
    String text = path.replace(':', '_').replace('|', '_');
    return IPV4.matcher(text).replaceAll(found -> found.group().replace('.', '_'));
  }

  /** As part of the name of a metric. */
  static String inName(String text) {
    return NOT_IN_NAMES.matcher(text).replaceAll("_");
  }
}
