package dev.weir.rules.gateway.syntax;

import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathPattern;
import java.util.List;
import java.util.Set;

/**
 * Whether every request that meets some conditions also meets others. It errs on the side of no:
 * only cases that people write are recognised, and long lists are not compared.
 */
final class Coverage {
  private static final int MAX_VALUES = 16;
  private static final String ANY_DEPTH = "/**";

  private Coverage() {}

  /** Whether {@code general} holds wherever {@code special} does. */
  static boolean covers(List<Condition> general, List<Condition> special) {
    return general.stream().allMatch(one -> special.stream().anyMatch(other -> covers(one, other)));
  }

  private static boolean covers(Condition general, Condition special) {
    if (!general.name().equals(special.name())) {
      return false;
    }
    if (general instanceof Condition.Path paths && special instanceof Condition.Path others) {
      return isShort(paths.patterns().size(), others.patterns().size())
          && others.patterns().stream()
              .allMatch(other -> paths.patterns().stream().anyMatch(one -> covers(one, other)));
    }
    if (general instanceof Condition.Like globs && !isShort(globs.globs().size())) {
      return false;
    }
    if (special instanceof Condition.OneOf values) {
      return isShort(values.values().size()) && values.values().stream().allMatch(general::test);
    }
    if (general instanceof Condition.Like globs) {
      Set<String> others = special instanceof Condition.Like like ? like.globs() : Set.of();
      return globs.globs().contains("*")
          || (!others.isEmpty() && globs.globs().containsAll(others));
    }
    return general.expected().equals(special.expected());
  }

  private static boolean covers(PathPattern general, PathPattern special) {
    if (general.equals(special) || (special.isLiteral() && general.matches(special.toString()))) {
      return true;
    }
    String text = general.toString();
    if (!text.endsWith(ANY_DEPTH)) {
      return false;
    }
    String prefix = text.substring(0, text.length() - ANY_DEPTH.length());
    return prefix.indexOf('*') < 0
        && prefix.indexOf('{') < 0
        && special.toString().startsWith(prefix + "/");
  }

  private static boolean isShort(int... sizes) {
    for (int size : sizes) {
      if (size > MAX_VALUES) {
        return false;
      }
    }
    return true;
  }
}
