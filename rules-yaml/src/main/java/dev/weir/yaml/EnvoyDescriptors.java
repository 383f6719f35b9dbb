package dev.weir.yaml;

import dev.weir.domain.Branch;
import dev.weir.domain.DomainRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the descriptors of one domain, from however many files. */
final class EnvoyDescriptors {
  static final Set<String> KEYS =
      Set.of(
          "key",
          "value",
          "rate_limit",
          "shadow_mode",
          "quota_mode",
          "detailed_metric",
          "value_to_metric",
          "share_threshold",
          "metadata",
          "descriptors");

  /** What says something about the limit beside it, not about those below. */
  private static final List<String> OF_THE_LIMIT =
      List.of("shadow_mode", "quota_mode", "detailed_metric", "metadata");

  private static final Map<String, String> ELSEWHERE =
      EnvoyRates.OUR_KEYS.stream()
          .collect(Collectors.toMap(key -> key, key -> "rate_limit: {" + key + ": …}"));

  private final String domain;
  private final EnvoyRates rates;
  private final Problems problems;
  private final IdentityHashMap<Branch, Place> places = new IdentityHashMap<>();
  private final Map<Place, String> replaced = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();

  EnvoyDescriptors(String domain, boolean strict, Problems problems) {
    this.domain = domain;
    this.rates = new EnvoyRates(strict, problems);
    this.problems = problems;
  }

  /** Where a branch is written, if it is one of these. */
  @Nullable Place place(Branch branch) {
    return places.get(branch);
  }

  /** The names that are to be replaced, and where. */
  Map<Place, String> replaced() {
    return replaced;
  }

  /** All names that limits have. */
  Set<String> names() {
    return names;
  }

  List<Branch> read(List<Node> nodes) {
    return read(nodes, domain);
  }

  private List<Branch> read(List<Node> nodes, String path) {
    List<Branch> branches = new ArrayList<>();
    Map<List<String>, Place> first = new HashMap<>();
    for (Node node : nodes) {
      if (!problems.isFull()) {
        descriptor(node, path, branches, first);
      }
    }
    return branches;
  }

  private void descriptor(
      Node node, String path, List<Branch> branches, Map<List<String>, Place> first) {
    EnvoySection section = EnvoySection.of(node, "descriptor", KEYS, ELSEWHERE, problems);
    String key = section.text("key");
    String value = section.text("value");
    String text = value.isEmpty() ? key : key + "_" + value;
    String here = path + "." + text;
    boolean shared = section.flag("share_threshold");
    boolean sound = checked(section, key, shared, text);
    Place place = section.place("key");
    Place before = key.isEmpty() ? null : first.putIfAbsent(List.of(key, value), place);
    if (before != null) {
      // An alias repeats the very same key; what can be mended is where it stands.
      Place second = place.equals(before) ? section.section().place() : place;
      problems.error(second, "descriptor", here, "each once; the first is at " + before);
      sound = false;
    }
    boolean valueInMetric = section.flag("value_to_metric");
    DomainRule rule = rule(section, here);
    List<Branch> below = read(section.list("descriptors", "a list of descriptors"), here);
    if (sound) {
      Branch branch = new Branch(key, value, shared, valueInMetric, rule, below);
      places.put(branch, place);
      branches.add(branch);
    }
  }

  /** Whether there is enough of it to go on with. */
  private boolean checked(EnvoySection section, String key, boolean shared, String text) {
    if (section.isMissing("key")) {
      problems.error(section.valuePlace("key"), "key", "nothing", "a key");
    }
    if (section.section().has("value") && section.isMissing("value")) {
      String message = "value: nothing, which fits every value (leave it out if so meant)";
      problems.warning(section.place("value"), EnvoyLint.EMPTY_VALUE, message);
    }
    boolean pattern = text.contains("*");
    if (shared && !pattern) {
      String expected = "a value with *, whose values share one limit";
      problems.error(section.place("share_threshold"), "share_threshold", text, expected);
    }
    return !key.isEmpty() && (pattern || !shared);
  }

  private @Nullable DomainRule rule(EnvoySection section, String path) {
    boolean shadow = section.flag("shadow_mode");
    boolean quota = section.flag("quota_mode");
    boolean detailed = section.flag("detailed_metric");
    Map<String, Object> metadata = metadata(section);
    Node limit = section.node("rate_limit");
    if (limit == null) {
      withoutLimit(section);
      return null;
    }
    EnvoyRates.Read read = rates.read(limit);
    replaced.putAll(read.replaces());
    if (!read.name().isEmpty()) {
      names.add(read.name());
    }
    return new DomainRule(
        path,
        read.rate(),
        read.name(),
        new HashSet<>(read.replaces().values()),
        shadow,
        quota,
        detailed,
        metadata,
        read.whenStoreFails(),
        read.priority());
  }

  private void withoutLimit(EnvoySection section) {
    if (section.section().has("rate_limit")) {
      String message = "rate_limit: nothing, so nothing is limited (leave it out if so meant)";
      problems.warning(section.place("rate_limit"), EnvoyLint.NO_LIMIT, message);
      return;
    }
    for (String key : OF_THE_LIMIT) {
      if (section.node(key) != null && section.section().lacks("rate_limit")) {
        String message = key + ": ignored without a rate_limit beside it";
        problems.warning(section.place(key), EnvoyLint.IGNORED, message);
      }
    }
  }

  private Map<String, Object> metadata(EnvoySection section) {
    Node node = section.node("metadata");
    if (node instanceof Node.Fields fields) {
      return GoYaml.map(fields, problems);
    }
    if (node != null) {
      problems.error(node.place(), "metadata", node.kind(), "a mapping");
    }
    return Map.of();
  }
}
