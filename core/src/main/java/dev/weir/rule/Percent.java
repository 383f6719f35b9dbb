package dev.weir.rule;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts hundredths of a percent to and from the notation {@code 25%}, {@code 0.5%}. */
public final class Percent {
  private static final int HUNDREDTHS = 100;
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3})(?:\\.(\\d{1,2}))?\\s*%");

  private Percent() {}

  /** The hundredths in the text; empty if it is not a percentage. It may be more than 100%. */
  public static OptionalInt parse(String text) {
    Matcher percent = PERCENT.matcher(text);
    if (!percent.matches()) {
      return OptionalInt.empty();
    }
    String fraction = percent.group(2) == null ? "" : percent.group(2);
    return OptionalInt.of(Integer.parseInt(percent.group(1) + (fraction + "00").substring(0, 2)));
  }

  /** The notation of this many hundredths of a percent. */
  public static String of(int hundredths) {
    String fraction = String.valueOf(HUNDREDTHS + hundredths % HUNDREDTHS).substring(1);
    String shown = fraction.replaceFirst("0+$", "");
    return hundredths / HUNDREDTHS + (shown.isEmpty() ? "" : "." + shown) + "%";
  }
}
