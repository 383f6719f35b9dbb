package dev.weir.rules.gateway.syntax;

import dev.weir.rules.syntax.LimitSyntax;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads values within bounds; an invalid value is reported, and reads as the default. */
final class Values {
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3})\\s?%?");

  private Values() {}

  static Duration duration(
      Section section, String key, Duration min, Duration max, Duration otherwise) {
    return section
        .parse(
            key,
            text -> {
              Duration read = LimitSyntax.duration(text);
              if (read.compareTo(min) < 0 || read.compareTo(max) > 0) {
                throw LimitSyntax.invalid(
                    key, text, "between " + shown(min) + " and " + shown(max));
              }
              return read;
            })
        .orElse(otherwise);
  }

  /** A duration as a rules file has it. */
  static String shown(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds + "s";
  }

  static int number(Section section, String key, int min, int max, int otherwise) {
    return (int) section.number(key, min, max).orElse(otherwise);
  }

  /** A whole number of percent, written {@code 80} or {@code 80%}. */
  static int percent(Section section, String key, int min, int otherwise) {
    return section
        .parse(
            key,
            text -> {
              Matcher percent = PERCENT.matcher(text);
              int read = percent.matches() ? Integer.parseInt(percent.group(1)) : -1;
              if (read < min || read > 100) {
                throw LimitSyntax.invalid(key, text, "a percentage between " + min + " and 100");
              }
              return read;
            })
        .orElse(otherwise);
  }

  /** Whether the value of a key is the word {@code none}. */
  static boolean isNone(Section section, String key) {
    return section.node(key) instanceof YamlNode.Text text && text.value().equals("none");
  }
}
