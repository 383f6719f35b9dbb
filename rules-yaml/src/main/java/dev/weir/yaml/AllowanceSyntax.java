package dev.weir.yaml;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.yaml.LimitSyntax.Extra;
import dev.weir.yaml.LimitSyntax.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what is allowed: a limit, several at once, {@code unlimited} or {@code blocked}. */
final class AllowanceSyntax {
  static final Duration DEFAULT_EXPIRY = Duration.ofMinutes(1);
  static final Set<String> KEYS =
      Set.of("limit", "burst", "queue", "algorithm", "concurrent", "expires");

  private static final Map<String, Allowance> WORDS =
      Map.of("unlimited", Allowance.UNLIMITED, "blocked", Allowance.BLOCKED);

  /** The most limits that one rule may put on one caller. */
  private static final int MAX_LIMITS = 10;

  private final Problems problems;

  AllowanceSyntax(Problems problems) {
    this.problems = problems;
  }

  /** What {@code node} allows, if nothing is wrong with it. */
  Optional<Allowance> read(Node node, String field, Shape shape) {
    if (node instanceof Node.Text text && WORDS.containsKey(text.value())) {
      refuseBeside(text.value(), "burst", shape.burst());
      refuseBeside(text.value(), "queue", shape.queue());
      return Optional.of(WORDS.get(text.value()));
    }
    List<Node> nodes = node instanceof Node.Items items ? items.items() : List.of(node);
    if (nodes.isEmpty() || nodes.size() > MAX_LIMITS) {
      String expected = "between 1 and " + MAX_LIMITS + " limits";
      problems.error(node.place(), field, nodes.size() + " limits", expected);
      return Optional.empty();
    }
    if (nodes.size() > 1 && (shape.burst() != null || shape.queue() != null)) {
      String expected = "one limit beside burst or queue; write {limit: …, burst: …} for each";
      problems.error(node.place(), field, nodes.size() + " limits", expected);
      return Optional.empty();
    }
    List<Limit> limits = new ArrayList<>();
    nodes.forEach(one -> limit(one, field, shape).ifPresent(limits::add));
    return limits.size() < nodes.size()
        ? Optional.empty()
        : Optional.of(new Allowance(false, limits));
  }

  private void refuseBeside(String word, String field, @Nullable Extra extra) {
    if (extra != null) {
      String expected = "none beside " + word;
      problems.error(extra.place(), field, String.valueOf(extra.value()), expected);
    }
  }

  private Optional<Limit> limit(Node node, String field, Shape shape) {
    if (!(node instanceof Node.Fields)) {
      return Section.text(node, field, problems).flatMap(text -> limit(text, field, shape));
    }
    Section section = Section.of(node, field, KEYS, problems);
    boolean held = section.has("concurrent");
    if ((held && section.has("limit")) || section.lacks("limit", "concurrent")) {
      String value = held ? "limit and concurrent" : "neither limit nor concurrent";
      problems.error(node.place(), field, value, "one of them in each mapping");
    }
    Shape own = shape(section, held ? null : shape.algorithm());
    if (held || section.has("expires")) {
      if (own.algorithm() != null || own.burst() != null || own.queue() != null) {
        String expected = "none of burst, queue and algorithm";
        problems.error(node.place(), field, "concurrent", expected);
      }
      return concurrent(section);
    }
    return section.text("limit").flatMap(text -> limit(text, "limit", own));
  }

  private Optional<Limit> limit(Node.Text text, String field, Shape shape) {
    try {
      return Optional.of(LimitSyntax.parse(text.value(), shape));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      if (shape.burst() != null && message.startsWith("burst: ")) {
        problems.error(shape.burst().place(), message);
      } else if (shape.queue() != null && message.startsWith("queue: ")) {
        problems.error(shape.queue().place(), message);
      } else {
        problems.error(text.place(), Section.refusal(field, text.value(), e));
      }
      return Optional.empty();
    }
  }

  /** Burst, queue and algorithm of a rule, or of one limit. */
  static Shape shape(Section section, @Nullable Algorithm inherited) {
    Optional<Algorithm> algorithm = section.choice("algorithm", LimitSyntax.ALGORITHMS);
    Extra burst = extra(section, "burst", 1);
    Extra queue = extra(section, "queue", 0);
    return new Shape(algorithm.orElse(inherited), burst, queue);
  }

  static @Nullable Extra extra(Section section, String key, long least) {
    var number = section.number(key, least, Limit.MAX_CAPACITY_UNITS);
    Node node = section.node(key);
    return number.isPresent() && node != null ? new Extra(number.getAsLong(), node.place()) : null;
  }

  /** A limit on what is in flight. */
  Optional<Limit> concurrent(Section section) {
    Duration expiry = section.made("expires", LimitSyntax::duration).orElse(DEFAULT_EXPIRY);
    if (section.lacks("concurrent") && section.has("expires")) {
      problems.error(section.place("expires"), "expires: without concurrent (expected: both)");
    }
    var permits = section.number("concurrent", 1, Limit.MAX_CONCURRENT);
    return permits.isPresent()
        ? Optional.of(Limit.concurrent(permits.getAsLong(), expiry))
        : Optional.empty();
  }
}
