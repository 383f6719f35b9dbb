package dev.weir.yaml;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.yaml.LimitSyntax.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what is allowed: a limit, several at once, {@code unlimited} or {@code blocked}. */
final class AllowanceSyntax {
  static final Duration DEFAULT_EXPIRY = Duration.ofMinutes(1);
  private static final Set<String> KEYS = Set.of("limit", "burst", "queue", "algorithm");

  /** The most limits that one rule may put on one caller. */
  private static final int MOST_LIMITS = 10;

  private final Problems problems;

  AllowanceSyntax(Problems problems) {
    this.problems = problems;
  }

  /** What {@code node} allows, if nothing is wrong with it. */
  Optional<Allowance> read(Node node, String field, Shape shape) {
    if (node instanceof Node.Text text && text.value().equals("unlimited")) {
      return Optional.of(Allowance.UNLIMITED);
    }
    if (node instanceof Node.Text text && text.value().equals("blocked")) {
      return Optional.of(Allowance.BLOCKED);
    }
    List<Node> nodes = node instanceof Node.Items items ? items.items() : List.of(node);
    if (nodes.isEmpty() || nodes.size() > MOST_LIMITS) {
      String expected = "between 1 and " + MOST_LIMITS + " limits";
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

  private Optional<Limit> limit(Node node, String field, Shape shape) {
    if (!(node instanceof Node.Fields)) {
      return Section.text(node, field, problems).flatMap(text -> limit(text, field, shape));
    }
    Section section = Section.of(node, field, KEYS, problems);
    if (!section.has("limit")) {
      problems.error(node.place(), "limit", "nothing", "permits per window, such as 100/minute");
    }
    Shape own = shape(section, shape.algorithm());
    return section.text("limit").flatMap(text -> limit(text, "limit", own));
  }

  private Optional<Limit> limit(Node.Text text, String field, Shape shape) {
    return Section.made(text, field, written -> LimitSyntax.parse(written, shape), problems);
  }

  /** Burst, queue and algorithm of a rule, or of one limit. */
  static Shape shape(Section section, @Nullable Algorithm inherited) {
    Optional<Algorithm> algorithm = section.choice("algorithm", LimitSyntax.ALGORITHMS);
    Long burst = boxed(section, "burst", 1);
    Long queue = boxed(section, "queue", 0);
    return new Shape(algorithm.orElse(inherited), burst, queue);
  }

  private static @Nullable Long boxed(Section section, String key, long least) {
    var number = section.number(key, least, Limit.MAX_CAPACITY_UNITS);
    return number.isPresent() ? Long.valueOf(number.getAsLong()) : null;
  }

  /** A limit on what is in flight. */
  Optional<Limit> concurrent(Section section) {
    Duration expiry = section.made("expires", LimitSyntax::duration).orElse(DEFAULT_EXPIRY);
    if (!section.has("concurrent") && section.has("expires")) {
      problems.error(section.place("expires"), "expires: without concurrent (expected: both)");
    }
    var permits = section.number("concurrent", 1, Limit.MAX_CONCURRENT);
    return permits.isPresent()
        ? Optional.of(Limit.concurrent(permits.getAsLong(), expiry))
        : Optional.empty();
  }
}
