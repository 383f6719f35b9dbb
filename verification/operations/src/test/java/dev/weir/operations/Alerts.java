package dev.weir.operations;

import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The alerts of {@code deploy/prometheus}. */
final class Alerts {
  static final Path RULES = Repository.path("deploy/prometheus/alerts.yaml");
  static final Path TESTS = Repository.path("deploy/prometheus/alerts_test.yaml");

  private Alerts() {}

  /** One alert, as the file has it. */
  record Alert(
      String name,
      String expression,
      Map<String, String> labels,
      Map<String, String> annotations) {}

  /**
   * A test of promtool.
   *
   * @param expected the names of the alerts that it expects to fire, at any of its times
   */
  record UnitTest(String name, List<String> expected) {}

  static List<Alert> all() throws IOException {
    List<Alert> alerts = new ArrayList<>();
    for (Map<?, ?> group : list(load(RULES).get("groups"))) {
      for (Map<?, ?> rule : list(group.get("rules"))) {
        alerts.add(
            new Alert(
                text(rule.get("alert")),
                text(rule.get("expr")),
                texts(rule.get("labels")),
                texts(rule.get("annotations"))));
      }
    }
    return alerts;
  }

  static List<UnitTest> unitTests() throws IOException {
    List<UnitTest> tests = new ArrayList<>();
    for (Map<?, ?> test : list(load(TESTS).get("tests"))) {
      List<String> expected = new ArrayList<>();
      if (test.containsKey("promql_expr_test")) {
        for (Map<?, ?> moment : list(test.get("promql_expr_test"))) {
          for (Map<?, ?> sample : list(moment.get("exp_samples"))) {
            String labels = text(sample.get("labels"));
            expected.add(labels.replaceFirst(".*alertname=\"(\\w+)\".*", "$1"));
          }
        }
      }
      tests.add(new UnitTest(text(test.get("name")), expected));
    }
    return tests;
  }

  private static Map<?, ?> load(Path file) throws IOException {
    Load load = new Load(LoadSettings.builder().build());
    return (Map<?, ?>) Objects.requireNonNull(load.loadFromString(Files.readString(file)));
  }

  private static List<Map<?, ?>> list(@Nullable Object value) {
    List<Map<?, ?>> maps = new ArrayList<>();
    for (Object one : (List<?>) Objects.requireNonNull(value)) {
      maps.add((Map<?, ?>) one);
    }
    return maps;
  }

  private static Map<String, String> texts(@Nullable Object value) {
    Map<String, String> texts = new TreeMap<>();
    ((Map<?, ?>) Objects.requireNonNull(value))
        .forEach((name, text) -> texts.put(text(name), text(text)));
    return texts;
  }

  private static String text(@Nullable Object value) {
    return String.valueOf(value);
  }
}
