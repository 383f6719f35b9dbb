package dev.weir.rules.gateway.syntax;

import dev.weir.rule.condition.Condition;
import dev.weir.rules.gateway.GatewaySettings;
import dev.weir.rules.gateway.PriorityRule;
import dev.weir.rules.gateway.SheddingSettings;
import dev.weir.rules.gateway.SheddingSettings.QueueDelay;
import dev.weir.rules.syntax.MatchSyntax;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads {@code shedding}. Not thread-safe. */
final class SheddingSyntax {
  static final Set<String> KEYS = Set.of("capacity", "priorities", "thresholds", "queue-delay");
  static final Set<String> PRIORITY_KEYS = Set.of("match", "priority");
  static final Set<String> THRESHOLD_KEYS = Set.of("1", "2", "3");
  static final Set<String> QUEUE_DELAY_KEYS = Set.of("target", "interval");

  private static final Duration MAX_TARGET = Duration.ofSeconds(10);
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(1);

  private final MatchSyntax matches;
  private final Problems problems;
  private final List<ParsedMatch> parsed = new ArrayList<>();
  private final List<PriorityRule> priorities = new ArrayList<>();

  SheddingSyntax(MatchSyntax matches, Problems problems) {
    this.matches = matches;
    this.problems = problems;
  }

  /** The conditions of the priorities, in their order, also of invalid ones. */
  List<ParsedMatch> parsed() {
    return parsed;
  }

  /** The priorities, in their order, as many as {@link #parsed}. */
  List<PriorityRule> priorities() {
    return priorities;
  }

  /** Reads the section; empty if it is invalid. */
  Optional<SheddingSettings> read(YamlNode node) {
    long errors = problems.errors();
    if (!(node instanceof YamlNode.Fields)) {
      String expected = "a mapping, such as {capacity: 200}";
      problems.error(node.location(), "shedding", node.kind(), expected);
      return Optional.empty();
    }
    Section section = Section.of(node, "shedding", KEYS, problems);
    if (section.lacks("capacity")) {
      String expected = "the number of requests that may be in flight";
      problems.error(node.location(), "capacity", "nothing", expected);
    }
    OptionalLong capacity = section.number("capacity", 1, SheddingSettings.MAX_CAPACITY);
    readPriorities(section);
    List<Integer> thresholds = readThresholds(section);
    Optional<QueueDelay> queueDelay = readQueueDelay(section);
    return capacity.isEmpty() || problems.errors() > errors
        ? Optional.empty()
        : Optional.of(
            new SheddingSettings((int) capacity.getAsLong(), priorities, thresholds, queueDelay));
  }

  private void readPriorities(Section section) {
    YamlNode node = section.node("priorities");
    if (node == null) {
      return;
    }
    if (!(node instanceof YamlNode.Items items)) {
      String expected = "a list, such as [{match: {path: /healthz}, priority: 0}]";
      problems.error(node.location(), "priorities", node.kind(), expected);
      return;
    }
    if (items.items().size() > GatewaySettings.MAX_ROUTES) {
      String expected = "at most " + GatewaySettings.MAX_ROUTES;
      problems.error(node.location(), "priorities", items.items().size() + " priorities", expected);
      return;
    }
    items.items().forEach(this::readPriority);
  }

  private void readPriority(YamlNode node) {
    long errors = problems.errors();
    Section section =
        Section.of(node, "priority", PRIORITY_KEYS, RuleSyntax.MISPLACED_KEYS, problems);
    if (section.lacks("priority")) {
      String expected = "a number between 0 and " + SheddingSettings.LOWEST;
      problems.error(node.location(), "priority", "nothing", expected);
    }
    OptionalLong priority = section.number("priority", 0, SheddingSettings.LOWEST);
    YamlNode match = section.node("match");
    List<Condition> conditions = match == null ? List.of() : matches.read(match);
    boolean sound = problems.errors() == errors && priority.isPresent();
    parsed.add(new ParsedMatch(conditions, section, sound));
    priorities.add(new PriorityRule(conditions, (int) priority.orElse(SheddingSettings.LOWEST)));
  }

  private List<Integer> readThresholds(Section shedding) {
    YamlNode node = shedding.node("thresholds");
    if (node == null) {
      return SheddingSettings.THRESHOLDS;
    }
    String never = "thresholds for 1, 2 and 3, since priority 0 is never shed";
    Section section = Section.of(node, "thresholds", THRESHOLD_KEYS, Map.of("0", never), problems);
    List<Integer> thresholds = new ArrayList<>();
    int before = 100;
    for (int priority = 1; priority <= SheddingSettings.LOWEST; priority++) {
      String key = String.valueOf(priority);
      int otherwise = SheddingSettings.THRESHOLDS.get(priority - 1);
      int threshold = Values.percent(section, key, 1, otherwise);
      if (threshold > before) {
        String shown = section.has(key) ? "" + threshold : threshold + ", the default";
        String expected = "at most " + before + ", since a lower priority is shed first";
        problems.error(section.location(key), key, shown, expected);
      }
      before = threshold;
      thresholds.add(threshold);
    }
    return thresholds;
  }

  private Optional<QueueDelay> readQueueDelay(Section shedding) {
    YamlNode node = shedding.node("queue-delay");
    QueueDelay defaults = QueueDelay.DEFAULT;
    if (node == null) {
      return Optional.of(defaults);
    }
    if (Values.isNone(shedding, "queue-delay")) {
      return Optional.empty();
    }
    Section section = Section.of(node, "queue-delay", QUEUE_DELAY_KEYS, problems);
    Duration target =
        Values.duration(section, "target", Duration.ofMillis(1), MAX_TARGET, defaults.target());
    Duration longer =
        target.compareTo(defaults.interval()) > 0 ? target.multipliedBy(2) : defaults.interval();
    Duration interval = Values.duration(section, "interval", target, MAX_INTERVAL, longer);
    return Optional.of(new QueueDelay(target, interval));
  }
}
