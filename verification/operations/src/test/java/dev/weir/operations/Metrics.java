package dev.weir.operations;

import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names of metrics in expressions, and those that the docs list. */
final class Metrics {
  private static final Pattern USED = Pattern.compile("\\b(?:weir|process|jvm)_\\w+");
  private static final Pattern DOCUMENTED = Pattern.compile("\\b(?:weir|process|jvm)_[a-z0-9_]+");
  private static final Pattern PART_OF_HISTOGRAM = Pattern.compile("_(bucket|sum|count)$");

  private Metrics() {}

  /** The metrics of Weir that an expression reads; a part of a histogram counts as the whole. */
  static Set<String> used(String expression) {
    return USED.matcher(expression)
        .results()
        .map(found -> PART_OF_HISTOGRAM.matcher(found.group()).replaceFirst(""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The metrics that the docs list. */
  static Set<String> documented() throws IOException {
    return DOCUMENTED
        .matcher(Files.readString(Repository.path("docs/metrics.md")))
        .results()
        .map(found -> found.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
