package dev.weir.rule;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shares in hundredths of a percent, and how operators write them: {@code 25%}, {@code 0.5%}. */
public final class Percent {
  private static final int HUNDREDTHS = 100;
  private static final Pattern WRITTEN = Pattern.compile("(\\d{1,3})(?:\\.(\\d{1,2}))?\\s*%");

  private Percent() {}

  /** What is written; nothing if that is no share. It may be more than the whole. */
  public static OptionalInt parse(String text) {
    Matcher percent = WRITTEN.matcher(text);
    if (!percent.matches()) {
      return OptionalInt.empty();
    }
    String fraction = percent.group(2) == null ? "" : percent.group(2);
    return OptionalInt.of(Integer.parseInt(percent.group(1) + (fraction + "00").substring(0, 2)));
  }

  public static String of(int hundredths) {
    String fraction = String.valueOf(HUNDREDTHS + hundredths % HUNDREDTHS).substring(1);
    String shown = fraction.replaceFirst("0+$", "");
    return hundredths / HUNDREDTHS + (shown.isEmpty() ? "" : "." + shown) + "%";
  }
}
