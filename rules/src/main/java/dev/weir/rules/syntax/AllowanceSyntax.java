package dev.weir.rules.syntax;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.rule.Candidate;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.rules.syntax.LimitSyntax.BucketSize;
import dev.weir.rules.syntax.LimitSyntax.LimitOptions;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads allowances: a limit, several limits, {@code unlimited} or {@code blocked}; and candidates,
 * which consist of them. Not thread-safe.
 */
public final class AllowanceSyntax {
  static final Duration DEFAULT_EXPIRY = Duration.ofMinutes(1);
  static final Set<String> KEYS =
      Set.of("limit", "burst", "queue", "algorithm", "concurrent", "expires");

  static final Set<String> CANDIDATE_KEYS =
      Set.of("limit", "burst", "queue", "algorithm", "tiers", "rollout");

  /** What to write instead of the keys that a candidate does not have. */
  private static final Map<String, String> NOT_OF_CANDIDATES =
      Map.of(
          "concurrent", "a rule of its own with shadow: true, to try out concurrent",
          "shadow", "nothing, since a candidate denies nobody but by its rollout",
          "tier", "tiers: {NAME: LIMIT}, with tiers of the rule");

  private static final Map<String, Allowance> WORDS =
      Map.of("unlimited", Allowance.UNLIMITED, "blocked", Allowance.BLOCKED);

  /** The maximum of limits that one rule may put on one caller. */
  private static final int MAX_LIMITS = 10;

  private final Problems problems;

  AllowanceSyntax(Problems problems) {
    this.problems = problems;
  }

  /**
   * The allowance by {@code limit} and {@code concurrent}; empty if it is invalid.
   *
   * @param what the section is called in errors
   * @param expected what it must have
   */
  Optional<Allowance> readLimits(
      Section section, LimitOptions options, String what, String expected) {
    Optional<Limit> concurrent = concurrent(section);
    YamlNode limit = section.node("limit");
    if (limit == null && !section.has("concurrent")) {
      if (section.lacks("limit", "tier", "default-tier", "concurrent")) {
        problems.error(section.location(), what, name(section), expected);
      }
      return Optional.empty();
    }
    if (section.lacks("limit")
        && (options.burst() != null || options.queue() != null || options.algorithm() != null)) {
      problems.error(
          section.location(), what, name(section), "a limit beside burst, queue or algorithm");
    }
    Optional<Allowance> rates =
        limit == null ? Optional.of(Allowance.UNLIMITED) : read(limit, "limit", options);
    if (rates.isPresent() && rates.get().blocked() && concurrent.isPresent()) {
      problems.error(
          section.location("concurrent"), "concurrent: beside blocked (expected: one of them)");
      return Optional.empty();
    }
    if (concurrent.isPresent() != section.has("concurrent")) {
      return Optional.empty();
    }
    List<Limit> all = new ArrayList<>(rates.map(Allowance::limits).orElse(List.of()));
    concurrent.ifPresent(all::add);
    return rates.map(one -> one.blocked() ? one : new Allowance(false, all));
  }

  private static String name(Section section) {
    return section.node("name") instanceof YamlNode.Text text ? text.value() : "without name";
  }

  /** The allowance of a node; empty if it is invalid. */
  Optional<Allowance> read(YamlNode node, String field, LimitOptions options) {
    if (node instanceof YamlNode.Text text && WORDS.containsKey(text.value())) {
      refuseBeside(text.value(), "burst", options.burst());
      refuseBeside(text.value(), "queue", options.queue());
      return Optional.of(WORDS.get(text.value()));
    }
    List<YamlNode> nodes = node instanceof YamlNode.Items items ? items.items() : List.of(node);
    if (nodes.isEmpty() || nodes.size() > MAX_LIMITS) {
      String expected = "between 1 and " + MAX_LIMITS + " limits";
      problems.error(node.location(), field, nodes.size() + " limits", expected);
      return Optional.empty();
    }
    if (nodes.size() > 1 && (options.burst() != null || options.queue() != null)) {
      String expected = "one limit beside burst or queue; write {limit: …, burst: …} for each";
      problems.error(node.location(), field, nodes.size() + " limits", expected);
      return Optional.empty();
    }
    List<Limit> limits = new ArrayList<>();
    nodes.forEach(one -> limit(one, field, options).ifPresent(limits::add));
    return limits.size() < nodes.size()
        ? Optional.empty()
        : Optional.of(new Allowance(false, limits));
  }

  private void refuseBeside(String word, String field, @Nullable BucketSize size) {
    if (size != null) {
      String expected = "none beside " + word;
      problems.error(size.location(), field, String.valueOf(size.value()), expected);
    }
  }

  private Optional<Limit> limit(YamlNode node, String field, LimitOptions options) {
    if (!(node instanceof YamlNode.Fields)) {
      return Section.text(node, field, problems).flatMap(text -> limit(text, field, options));
    }
    Section section = Section.of(node, field, KEYS, problems);
    boolean held = section.has("concurrent");
    if ((held && section.has("limit")) || section.lacks("limit", "concurrent")) {
      String value = held ? "limit and concurrent" : "neither limit nor concurrent";
      problems.error(node.location(), field, value, "one of them in each mapping");
    }
    LimitOptions own = options(section, held ? null : options.algorithm());
    if (held || section.has("expires")) {
      if (own.algorithm() != null || own.burst() != null || own.queue() != null) {
        String expected = "none of burst, queue and algorithm";
        problems.error(node.location(), field, "concurrent", expected);
      }
      return concurrent(section);
    }
    return section.text("limit").flatMap(text -> limit(text, "limit", own));
  }

  private Optional<Limit> limit(YamlNode.Text text, String field, LimitOptions options) {
    try {
      return Optional.of(LimitSyntax.parse(text.value(), options));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      if (options.burst() != null && message.startsWith("burst: ")) {
        problems.error(options.burst().location(), message);
      } else if (options.queue() != null && message.startsWith("queue: ")) {
        problems.error(options.queue().location(), message);
      } else {
        problems.error(text.location(), Section.errorMessage(field, text.value(), e));
      }
      return Optional.empty();
    }
  }

  /**
   * The candidate of a rule; empty if there is none, or if it is invalid.
   *
   * @param options of the rule, whose algorithm the limits inherit
   */
  Optional<Candidate> candidate(Section rule, LimitOptions options) {
    YamlNode node = rule.node("candidate");
    if (node == null) {
      return Optional.empty();
    }
    if (!(node instanceof YamlNode.Fields)) {
      return read(node, "candidate", LimitOptions.of(options.algorithm()))
          .flatMap(all -> candidate(node, () -> Candidate.of(all)));
    }
    Section section = Section.of(node, "candidate", CANDIDATE_KEYS, NOT_OF_CANDIDATES, problems);
    LimitOptions own = options(section, options.algorithm());
    int share = rollout(section, rule).orElse(0);
    YamlNode limit = section.node("limit");
    YamlNode tiers = section.node("tiers");
    if (section.has("limit") == section.has("tiers")) {
      String value = limit == null ? "neither limit nor tiers" : "limit and tiers";
      problems.error(node.location(), "candidate", value, "one of them, as the rule has it");
    } else if (limit != null) {
      return read(limit, "limit", own)
          .flatMap(all -> candidate(node, () -> Candidate.of(all).withRollout(share)));
    } else if (tiers != null) {
      Map<String, Allowance> each = new LinkedHashMap<>();
      List<YamlNode.Field> fields = Section.open(tiers, "tiers", problems).fields();
      for (YamlNode.Field field : fields) {
        String name = field.key().value();
        read(field.value(), name, own).ifPresent(one -> each.put(name, one));
      }
      return each.size() < fields.size()
          ? Optional.empty()
          : candidate(node, () -> Candidate.of(each).withRollout(share));
    }
    return Optional.empty();
  }

  private Optional<Candidate> candidate(YamlNode node, Supplier<Candidate> made) {
    try {
      return Optional.of(made.get());
    } catch (IllegalArgumentException e) {
      problems.error(node.location(), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /**
   * The share of callers in {@code rollout}, in hundredths of a percent; empty if it is absent or
   * invalid.
   *
   * @param rule says whom it counts
   */
  OptionalInt rollout(Section section, Section rule) {
    Optional<YamlNode.Text> rollout = section.text("rollout");
    if (rollout.isEmpty()) {
      return OptionalInt.empty();
    }
    OptionalInt hundredths = Percent.parse(rollout.get().value());
    if (hundredths.isEmpty() || hundredths.getAsInt() > Rule.WHOLE) {
      String expected = "a share between 0% and 100%, such as 25% or 0.5%";
      problems.error(rollout.get().location(), "rollout", rollout.get().value(), expected);
      return OptionalInt.empty();
    }
    if (rule.lacks("per")) {
      String expected = "a rule with per, since a rollout picks callers";
      problems.error(rollout.get().location(), "rollout", rollout.get().value(), expected);
    }
    return hundredths;
  }

  /** Burst, queue and algorithm of a rule, or of one limit. */
  static LimitOptions options(Section section, @Nullable Algorithm inherited) {
    Optional<Algorithm> algorithm = section.choice("algorithm", LimitSyntax.ALGORITHMS);
    BucketSize burst = bucketSize(section, "burst", 1);
    BucketSize queue = bucketSize(section, "queue", 0);
    return new LimitOptions(algorithm.orElse(inherited), burst, queue);
  }

  /** The burst or the queue of a limit; null if absent or invalid. */
  public static @Nullable BucketSize bucketSize(Section section, String key, long min) {
    var number = section.number(key, min, Limit.MAX_CAPACITY_UNITS);
    YamlNode node = section.node(key);
    return number.isPresent() && node != null
        ? new BucketSize(number.getAsLong(), node.location())
        : null;
  }

  /** The limit on concurrent requests; empty if absent or invalid. */
  Optional<Limit> concurrent(Section section) {
    Duration expiry = section.parse("expires", LimitSyntax::duration).orElse(DEFAULT_EXPIRY);
    if (section.lacks("concurrent") && section.has("expires")) {
      problems.error(section.location("expires"), "expires: without concurrent (expected: both)");
    }
    var permits = section.number("concurrent", 1, Limit.MAX_CONCURRENT);
    return permits.isPresent()
        ? Optional.of(Limit.concurrent(permits.getAsLong(), expiry))
        : Optional.empty();
  }
}
