package dev.weir.rules.envoy;

import dev.weir.rules.domain.Branch;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.YamlNode;
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

/** Reads the descriptors of one domain, from one file or several. */
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

  /** Fields that apply to the limit beside them, not to limits of child descriptors. */
  private static final List<String> LIMIT_FIELDS =
      List.of("shadow_mode", "quota_mode", "detailed_metric", "metadata");

  private static final Map<String, String> MISPLACED_KEYS =
      EnvoyRates.EXTENSION_KEYS.stream()
          .collect(Collectors.toMap(key -> key, key -> "rate_limit: {" + key + ": …}"));

  private final String domain;
  private final EnvoyRates rates;
  private final Problems problems;
  private final IdentityHashMap<Branch, SourceLocation> locations = new IdentityHashMap<>();
  private final Map<SourceLocation, String> replaced = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();

  EnvoyDescriptors(String domain, boolean strict, Problems problems) {
    this.domain = domain;
    this.rates = new EnvoyRates(strict, problems);
    this.problems = problems;
  }

  /** Where a branch is defined; null if it is not of this domain. */
  @Nullable SourceLocation location(Branch branch) {
    return locations.get(branch);
  }

  /** The names in {@code replaces}, by location. */
  Map<SourceLocation, String> replaced() {
    return replaced;
  }

  /** The names of all limits. */
  Set<String> names() {
    return names;
  }

  List<Branch> read(List<YamlNode> nodes) {
    return read(nodes, domain);
  }

  private List<Branch> read(List<YamlNode> nodes, String path) {
    List<Branch> branches = new ArrayList<>();
    Map<List<String>, SourceLocation> first = new HashMap<>();
    for (YamlNode node : nodes) {
      if (!problems.isFull()) {
        readDescriptor(node, path, branches, first);
      }
    }
    return branches;
  }

  private void readDescriptor(
      YamlNode node, String path, List<Branch> branches, Map<List<String>, SourceLocation> first) {
    EnvoySection section = EnvoySection.of(node, "descriptor", KEYS, MISPLACED_KEYS, problems);
    String key = section.text("key");
    String value = section.text("value");
    String text = value.isEmpty() ? key : key + "_" + value;
    String here = path + "." + text;
    boolean shared = section.flag("share_threshold");
    boolean sound = isUsable(section, key, shared, text);
    SourceLocation location = section.location("key");
    SourceLocation before = key.isEmpty() ? null : first.putIfAbsent(List.of(key, value), location);
    if (before != null) {
      // An alias repeats the key itself, so the error points at the alias, which can be changed.
      SourceLocation second = location.equals(before) ? section.section().location() : location;
      problems.error(second, "descriptor", here, "each once; the first is at " + before);
      sound = false;
    }
    boolean valueInMetric = section.flag("value_to_metric");
    DomainRule rule = readRule(section, here);
    List<Branch> below = read(section.list("descriptors", "a list of descriptors"), here);
    if (sound) {
      Branch branch = new Branch(key, value, shared, valueInMetric, rule, below);
      locations.put(branch, location);
      branches.add(branch);
    }
  }

  /** Whether a branch can be made of it. */
  private boolean isUsable(EnvoySection section, String key, boolean shared, String text) {
    if (section.isMissing("key")) {
      problems.error(section.valueLocation("key"), "key", "nothing", "a key");
    }
    if (section.section().has("value") && section.isMissing("value")) {
      String message = "value: nothing, which fits every value (remove it if that is intended)";
      problems.warning(section.location("value"), LintCodes.EMPTY_VALUE, message);
    }
    boolean pattern = text.contains("*");
    if (shared && !pattern) {
      String expected = "a value with *, whose values share one limit";
      problems.error(section.location("share_threshold"), "share_threshold", text, expected);
    }
    return !key.isEmpty() && (pattern || !shared);
  }

  private @Nullable DomainRule readRule(EnvoySection section, String path) {
    boolean shadow = section.flag("shadow_mode");
    boolean quota = section.flag("quota_mode");
    boolean detailed = section.flag("detailed_metric");
    Map<String, Object> metadata = readMetadata(section);
    YamlNode limit = section.node("rate_limit");
    if (limit == null) {
      warnWithoutLimit(section);
      return null;
    }
    EnvoyRates.Parsed read = rates.read(limit);
    replaced.putAll(read.replaces());
    if (!read.name().isEmpty()) {
      names.add(read.name());
    }
    return new DomainRule(
        path,
        read.rate(),
        read.name(),
        new HashSet<>(read.replaces().values()),
        new DomainRule.Enforcement(shadow, quota, read.whenStoreFails()),
        new DomainRule.Reporting(detailed, metadata, read.priority()));
  }

  private void warnWithoutLimit(EnvoySection section) {
    if (section.section().has("rate_limit")) {
      String message = "rate_limit: nothing, so nothing is limited (remove it if that is intended)";
      problems.warning(section.location("rate_limit"), LintCodes.NO_LIMIT, message);
      return;
    }
    for (String key : LIMIT_FIELDS) {
      if (section.node(key) != null && section.section().lacks("rate_limit")) {
        String message = key + ": ignored without a rate_limit beside it";
        problems.warning(section.location(key), LintCodes.IGNORED_FIELD, message);
      }
    }
  }

  private Map<String, Object> readMetadata(EnvoySection section) {
    YamlNode node = section.node("metadata");
    if (node instanceof YamlNode.Fields fields) {
      return GoYaml.map(fields, problems);
    }
    if (node != null) {
      problems.error(node.location(), "metadata", node.kind(), "a mapping");
    }
    return Map.of();
  }
}
