package dev.weir.yaml;

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
 * What Go's YAML makes of a document, which is what the format of Envoy's rate limit service is
 * written for: numbers in other bases, {@code yes} and {@code on}, merge keys, and of a key that
 * comes twice the last.
 */
final class GoYaml {
  private static final Pattern WHOLE =
      Pattern.compile("([-+]?)(0[xX]|0[bB]|0[oO]|0(?=\\d))?([0-9a-fA-F]{1,40})");
  private static final Pattern FRACTION =
      Pattern.compile("[-+]?(?:\\.\\d++|\\d++(?:\\.\\d*+)?)(?:[eE][-+]?\\d++)?");
  private static final Pattern NO_NUMBER =
      Pattern.compile("[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");
  private static final Set<String> TRUE =
      Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y");
  private static final Set<String> FALSE =
      Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N");
  private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

  private GoYaml() {}

  static boolean isNothing(@Nullable Node node) {
    return node == null
        || (node instanceof Node.Text text && text.plain() && NOTHING.contains(text.value()));
  }

  static Optional<Boolean> flag(Node node) {
    if (!(node instanceof Node.Text text) || !text.plain()) {
      return Optional.empty();
    }
    boolean yes = TRUE.contains(text.value());
    return yes || FALSE.contains(text.value()) ? Optional.of(yes) : Optional.empty();
  }

  /** A number without fraction, be it too large for most purposes. */
  static Optional<BigInteger> whole(Node node) {
    if (!(node instanceof Node.Text text) || !text.plain()) {
      return Optional.empty();
    }
    Matcher number = WHOLE.matcher(text.value().replace("_", ""));
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

  /** Whether a number begins with a zero that makes it another one than it looks like. */
  static boolean isOctal(Node.Text text) {
    return text.plain() && text.value().matches("[-+]?0_?[0-7_]*[1-7][0-7_]*");
  }

  /** A number that is no whole one of 64 bits; the format has no place for those. */
  static boolean isOtherNumber(Node.Text text) {
    Optional<BigInteger> whole = whole(text);
    return whole.isPresent()
        ? whole.get().bitLength() > 63
        : text.plain() && isFraction(text.value());
  }

  private static boolean isFraction(String text) {
    return (!text.startsWith("_") && FRACTION.matcher(text.replace("_", "")).matches())
        || NO_NUMBER.matcher(text).matches();
  }

  /** Texts, numbers, booleans, null, lists and maps. */
  static @Nullable Object value(Node node, Problems problems) {
    if (node instanceof Node.Items items) {
      List<@Nullable Object> values = new ArrayList<>();
      items.items().forEach(item -> values.add(value(item, problems)));
      return Collections.unmodifiableList(values);
    }
    if (node instanceof Node.Fields fields) {
      return map(fields, problems);
    }
    Node.Text text = (Node.Text) node;
    if (isNothing(text)) {
      return null;
    }
    Optional<BigInteger> whole = whole(text);
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

  static Map<String, Object> map(Node.Fields fields, Problems problems) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Node.Field field : fields(fields, problems)) {
      values.put(field.key().value(), value(field.value(), problems));
    }
    return Collections.unmodifiableMap(values);
  }

  /** The fields of a mapping and of those it is merged with, each key once. */
  static List<Node.Field> fields(Node.Fields mapping, Problems problems) {
    Map<String, Node.Field> fields = new LinkedHashMap<>();
    Map<String, Place> own = new LinkedHashMap<>();
    for (Node.Field field : mapping.fields()) {
      String key = field.key().value();
      if (field.key().plain() && key.equals("<<")) {
        merged(field.value(), problems).forEach(one -> fields.put(one.key().value(), one));
        continue;
      }
      fields.put(key, field);
      Place first = own.putIfAbsent(key, field.key().place());
      if (first != null) {
        String message = "only the last of several counts; the first is in line " + first.line();
        problems.warning(
            field.key().place(), EnvoyLint.KEY_TWICE, Problems.shown(key) + ": " + message);
      }
    }
    return List.copyOf(fields.values());
  }

  private static List<Node.Field> merged(Node node, Problems problems) {
    List<Node> nodes = node instanceof Node.Items items ? items.items() : List.of(node);
    List<Node.Field> fields = new ArrayList<>();
    for (int i = nodes.size() - 1; i >= 0; i--) { // of several, the first one wins
      if (nodes.get(i) instanceof Node.Fields merged) {
        fields.addAll(fields(merged, problems));
      } else {
        problems.error(nodes.get(i).place(), "<<", nodes.get(i).kind(), "a mapping, by its alias");
      }
    }
    return fields;
  }
}
