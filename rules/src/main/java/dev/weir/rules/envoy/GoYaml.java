package dev.weir.rules.envoy;

import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.YamlNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Interprets scalars and mappings as Go's YAML library does, which Envoy's rate limit service uses:
 * numbers in other bases, {@code yes} and {@code on}, merge keys, and the last of a repeated key.
 */
final class GoYaml {
  private static final Pattern INTEGER =
      Pattern.compile("([-+]?)(0[xX]|0[bB]|0[oO]|0(?=\\d))?([0-9a-fA-F]{1,40})");
  private static final Pattern FRACTION =
      Pattern.compile("[-+]?(?:\\.\\d++|\\d++(?:\\.\\d*+)?)(?:[eE][-+]?\\d++)?");
  private static final Pattern INFINITY_OR_NAN =
      Pattern.compile("[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");
  private static final Set<String> TRUE =
      Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y");
  private static final Set<String> FALSE =
      Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N");
  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

  private GoYaml() {}

  static boolean isNull(@Nullable YamlNode node) {
    return node == null
        || (node instanceof YamlNode.Text text && text.plain() && NULLS.contains(text.value()));
  }

  static Optional<Boolean> flag(YamlNode node) {
    if (!(node instanceof YamlNode.Text text) || !text.plain()) {
      return Optional.empty();
    }
    boolean yes = TRUE.contains(text.value());
    return yes || FALSE.contains(text.value()) ? Optional.of(yes) : Optional.empty();
  }

  /** A number without fraction, of any size. */
  static Optional<BigInteger> integer(YamlNode node) {
    if (!(node instanceof YamlNode.Text text) || !text.plain()) {
      return Optional.empty();
    }
    Matcher number = INTEGER.matcher(text.value().replace("_", ""));
    if (text.value().startsWith("_") || !number.matches()) {
      return Optional.empty();
    }
    try {
      String prefix = String.valueOf(number.group(2));
      int base =
          switch (prefix) {
            case "null" -> 10;
            case "0x", "0X" -> 16;
            case "0b", "0B" -> 2;
            default -> 8;
          };
      return Optional.of(new BigInteger(number.group(1) + number.group(3), base));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether a leading zero makes the number octal, and so another one than it seems. */
  static boolean isOctal(YamlNode.Text text) {
    return text.plain() && text.value().matches("[-+]?0_?[0-7_]*[1-7][0-7_]*");
  }

  /** Whether it is a number other than a 64-bit integer, which no field of the format takes. */
  static boolean isUnsupportedNumber(YamlNode.Text text) {
    Optional<BigInteger> whole = integer(text);
    return whole.isPresent()
        ? whole.get().bitLength() > 63
        : text.plain() && isFraction(text.value());
  }

  private static boolean isFraction(String text) {
    return (!text.startsWith("_") && FRACTION.matcher(text.replace("_", "")).matches())
        || INFINITY_OR_NAN.matcher(text).matches();
  }

  /** The value as text, number, boolean, null, list or map. */
  static @Nullable Object value(YamlNode node, Problems problems) {
    if (node instanceof YamlNode.Items items) {
      List<@Nullable Object> values = new ArrayList<>();
      items.items().forEach(item -> values.add(value(item, problems)));
      return Collections.unmodifiableList(values);
    }
    if (node instanceof YamlNode.Fields fields) {
      return map(fields, problems);
    }
    YamlNode.Text text = (YamlNode.Text) node;
    if (isNull(text)) {
      return null;
    }
    Optional<BigInteger> whole = integer(text);
    if (whole.isPresent()) {
      return whole.get().bitLength() > 63
          ? (Object) whole.get().doubleValue()
          : whole.get().longValue();
    }
    if (text.plain() && FRACTION.matcher(text.value().replace("_", "")).matches()) {
      return Double.valueOf(text.value().replace("_", ""));
    }
    return flag(text).<Object>map(flag -> flag).orElse(text.value());
  }

  static Map<String, Object> map(YamlNode.Fields fields, Problems problems) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (YamlNode.Field field : fields(fields, problems)) {
      values.put(field.key().value(), value(field.value(), problems));
    }
    return Collections.unmodifiableMap(values);
  }

  /** The fields of a mapping and of those merged into it, each key once. */
  static List<YamlNode.Field> fields(YamlNode.Fields mapping, Problems problems) {
    Map<String, YamlNode.Field> fields = new LinkedHashMap<>();
    Map<String, SourceLocation> own = new LinkedHashMap<>();
    for (YamlNode.Field field : mapping.fields()) {
      String key = field.key().value();
      if (field.key().plain() && key.equals("<<")) {
        mergedFields(field.value(), problems).forEach(one -> fields.put(one.key().value(), one));
        continue;
      }
      fields.put(key, field);
      SourceLocation first = own.putIfAbsent(key, field.key().location());
      if (first != null) {
        String message = "only the last of several counts; the first is in line " + first.line();
        problems.warning(
            field.key().location(), LintCodes.KEY_TWICE, Problems.shown(key) + ": " + message);
      }
    }
    return List.copyOf(fields.values());
  }

  private static List<YamlNode.Field> mergedFields(YamlNode node, Problems problems) {
    List<YamlNode> nodes = node instanceof YamlNode.Items items ? items.items() : List.of(node);
    List<YamlNode.Field> fields = new ArrayList<>();
    for (int i = nodes.size() - 1; i >= 0; i--) { // the first of several wins
      if (nodes.get(i) instanceof YamlNode.Fields merged) {
        fields.addAll(fields(merged, problems));
      } else {
        problems.error(
            nodes.get(i).location(), "<<", nodes.get(i).kind(), "a mapping, by its alias");
      }
    }
    return fields;
  }
}
