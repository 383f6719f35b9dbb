package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict parser of the Prometheus text format: each family once and contiguous, with its type
 * before its samples; each sample once; consistent histograms.
 */
final class PrometheusText {
  private static final String NAME = "[a-zA-Z_][a-zA-Z0-9_]*";
  private static final Pattern HEAD = Pattern.compile("# (HELP|TYPE) (" + NAME + ") (.*)");
  private static final Pattern SAMPLE =
      Pattern.compile("(" + NAME + ")(?:\\{(.*)\\})? (\\+Inf|NaN|-?[0-9.]+(?:E-?[0-9]+)?)");
  private static final Pattern LABEL =
      Pattern.compile("\\G(" + NAME + ")=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  private final Map<String, Double> samples = new LinkedHashMap<>();
  private final Map<String, String> types = new LinkedHashMap<>();
  private String family = "";

  PrometheusText(String text) {
    assertThat(text).endsWith("\n");
    Set<String> helped = new HashSet<>();
    for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
      Matcher head = HEAD.matcher(line);
      if (head.matches() && head.group(1).equals("HELP")) {
        assertThat(helped.add(head.group(2))).as(line).isTrue();
      } else if (head.matches()) {
        family = head.group(2);
        assertThat(head.group(3)).isIn("counter", "gauge", "histogram", "summary");
        assertThat(types.put(family, head.group(3))).as(line).isNull();
      } else {
        sample(line);
      }
    }
    types.forEach((name, type) -> checkHistogram(name, type));
  }

  private void sample(String line) {
    Matcher sample = SAMPLE.matcher(line);
    assertThat(sample.matches()).as(line).isTrue();
    String name = sample.group(1);
    boolean parts = Set.of("histogram", "summary").contains(types.getOrDefault(family, ""));
    assertThat(parts ? name.replaceAll("_(bucket|sum|count)$", "") : name)
        .as(line)
        .isEqualTo(family);
    Map<String, String> labels = labels(sample.group(2) == null ? "" : sample.group(2), line);
    assertThat(samples.put(key(name, labels), Double.parseDouble(value(sample.group(3)))))
        .as(line)
        .isNull();
  }

  private static String value(String text) {
    return text.equals("+Inf") ? "Infinity" : text;
  }

  private static Map<String, String> labels(String text, String line) {
    Map<String, String> labels = new TreeMap<>();
    Matcher label = LABEL.matcher(text);
    int end = 0;
    while (label.find()) {
      String value =
          label.group(2).replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\");
      assertThat(labels.put(label.group(1), value)).as(line).isNull();
      end = label.end();
    }
    assertThat(end).as(line).isEqualTo(text.length());
    return labels;
  }

  private static String key(String name, Map<String, String> labels) {
    return name + labels;
  }

  private void checkHistogram(String name, String type) {
    if (!type.equals("histogram")) {
      return;
    }
    double before = 0;
    for (Map.Entry<String, Double> sample : samples.entrySet()) {
      if (sample.getKey().startsWith(name + "_bucket")) {
        assertThat(sample.getValue()).as(sample.getKey()).isGreaterThanOrEqualTo(before);
        before = sample.getValue();
      } else if (sample.getKey().startsWith(name + "_count")) {
        assertThat(sample.getValue()).as(sample.getKey()).isEqualTo(before);
        before = 0; // the next series has other labels
      }
    }
  }

  /** The value of a sample; labels are alternating names and values. */
  double value(String name, String... labels) {
    Map<String, String> sorted = new TreeMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      sorted.put(labels[i], labels[i + 1]);
    }
    Double value = samples.get(key(name, sorted));
    assertThat(value).as(key(name, sorted) + " in " + samples.keySet()).isNotNull();
    return value == null ? 0 : value;
  }

  /** Names of families, with their types. */
  Map<String, String> types() {
    return types;
  }

  /** The number of samples of a name. */
  long count(String name) {
    return samples.keySet().stream().filter(key -> key.startsWith(name + "{")).count();
  }

  /** The sum of all samples of a name. */
  double sum(String name) {
    return samples.entrySet().stream()
        .filter(sample -> sample.getKey().startsWith(name + "{"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
