package dev.weir.yaml;

import dev.weir.Algorithm;
import dev.weir.CalendarWindow;
import dev.weir.Limit;
import dev.weir.domain.DomainRule.Rate;
import dev.weir.domain.Unit;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.yaml.LimitSyntax.Extra;
import dev.weir.yaml.LimitSyntax.Shape;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads {@code rate_limit}: so many requests in a unit of time, and what else we know to say. */
final class EnvoyRates {
  /** What Envoy's rate limit service knows. */
  static final Set<String> ITS_KEYS =
      Set.of("unit", "requests_per_unit", "unlimited", "name", "replaces");

  /** What it does not know. */
  static final Set<String> OUR_KEYS =
      Set.of(
          "unit_multiplier", "per", "algorithm", "burst", "queue", "when_store_fails", "priority");

  static final Set<String> KEYS =
      Stream.concat(ITS_KEYS.stream(), OUR_KEYS.stream()).collect(Collectors.toSet());

  private static final Set<String> BESIDE_UNLIMITED = Set.of("unlimited", "name", "replaces");
  private static final Map<String, Algorithm> ALGORITHMS =
      LimitSyntax.ALGORITHMS.entrySet().stream()
          .collect(Collectors.toMap(one -> one.getKey().replace('-', '_'), Map.Entry::getValue));
  private static final Map<String, Unit> UNITS =
      Stream.of(Unit.values()).collect(Collectors.toMap(EnvoyRates::lower, Function.identity()));

  /** Of several that deny, the one with the highest priority is told; no need for large numbers. */
  private static final int MAX_PRIORITY = 1_000;

  private final boolean strict;
  private final Problems problems;

  /**
   * @param strict whether the domain is accounted all or none
   */
  EnvoyRates(boolean strict, Problems problems) {
    this.strict = strict;
    this.problems = problems;
  }

  /**
   * What a {@code rate_limit} says.
   *
   * @param rate null if unlimited
   * @param replaces names by where they are written
   */
  record Read(
      @Nullable Rate rate,
      String name,
      Map<Place, String> replaces,
      WhenStoreFails whenStoreFails,
      int priority) {}

  private static String lower(Unit unit) {
    return unit.name().toLowerCase(Locale.ROOT);
  }

  Read read(Node node) {
    EnvoySection section = EnvoySection.of(node, "rate_limit", KEYS, problems);
    String name = section.text("name");
    WhenStoreFails fails =
        section.choice("when_store_fails", RuleSyntax.STORE_FAILS).orElse(WhenStoreFails.LOCAL);
    long priority = section.section().number("priority", -MAX_PRIORITY, MAX_PRIORITY).orElse(0);
    return new Read(
        rate(section).orElse(null), name, replaces(section, name), fails, (int) priority);
  }

  /** Empty if unlimited, or wrong. */
  private Optional<Rate> rate(EnvoySection section) {
    long errors = problems.errors();
    boolean unlimited = section.flag("unlimited");
    long requests = section.number("requests_per_unit").orElse(0);
    String written = section.text("unit");
    Unit unit = UNITS.get(written.toLowerCase(Locale.ROOT));
    Shape shape = shape(section);
    if (unlimited) {
      besideUnlimited(section, unit);
      return Optional.empty();
    }
    boolean other = section.section().has("per");
    if (other) {
      refuseBesidePer(section);
    } else if (unit == null && (!written.isEmpty() || section.isMissing("unit"))) {
      String found = written.isEmpty() ? "nothing" : written;
      problems.error(
          section.valuePlace("unit"), "unit", found, Words.expected(found, UNITS.keySet()));
    }
    Duration one = unit == null ? Unit.SECOND.duration() : unit.duration();
    long most = Limit.MAX_WINDOW.dividedBy(one);
    long times = section.section().number("unit_multiplier", 1, most).orElse(1);
    if (problems.errors() > errors) {
      return Optional.empty();
    }
    if (section.isMissing("requests_per_unit")) {
      String message = "requests_per_unit: nothing, which blocks everything (write 0 if so meant)";
      problems.warning(section.place("requests_per_unit"), EnvoyLint.BLOCKS, message);
    }
    Optional<Limit> limit =
        limit(
            section,
            other ? section.text("per") : "",
            Math.max(1, requests),
            one.multipliedBy(times),
            shape);
    boolean own = strict || shape.algorithm() != Algorithm.FIXED_WINDOW;
    return limit.map(
        made ->
            new Rate(
                requests == 0 ? List.of() : List.of(made),
                requests,
                unit == null ? nearest(made) : unit,
                own));
  }

  private Shape shape(EnvoySection section) {
    Shape shape =
        new Shape(
            section.choice("algorithm", ALGORITHMS).orElse(Algorithm.FIXED_WINDOW),
            AllowanceSyntax.extra(section.section(), "burst", 1),
            AllowanceSyntax.extra(section.section(), "queue", 0));
    refuseUnless(Algorithm.TOKEN_BUCKET, "burst", shape.burst(), shape);
    refuseUnless(Algorithm.LEAKY_BUCKET, "queue", shape.queue(), shape);
    return shape;
  }

  private void refuseUnless(Algorithm algorithm, String field, @Nullable Extra extra, Shape shape) {
    if (extra != null && shape.algorithm() != algorithm) {
      String expected = "algorithm: " + algorithm.name().toLowerCase(Locale.ROOT) + " beside it";
      problems.error(extra.place(), field, String.valueOf(extra.value()), expected);
    }
  }

  private void besideUnlimited(EnvoySection section, @Nullable Unit unit) {
    for (Node.Field field : section.section().fields()) {
      Place place = field.key().place();
      String key = field.key().value();
      if (key.equals("per") || (key.equals("unit") && unit != null)) {
        problems.error(place, key, "beside unlimited", "one of them");
      } else if (KEYS.contains(key) && !BESIDE_UNLIMITED.contains(key)) {
        problems.warning(place, EnvoyLint.IGNORED, key + ": ignored beside unlimited");
      }
    }
  }

  private void refuseBesidePer(EnvoySection section) {
    for (String key : List.of("unit", "unit_multiplier")) {
      if (section.section().has(key)) {
        problems.error(section.place(key), key, "beside per", "one of them");
      }
    }
    if (section.node("per") == null) {
      problems.error(section.place("per"), "per", "nothing", LimitSyntax.EXPECTED_WINDOW);
    }
  }

  private Optional<Limit> limit(
      EnvoySection section, String per, long requests, Duration window, Shape shape) {
    try {
      return Optional.of(
          per.isEmpty()
              ? LimitSyntax.onClock(requests, window, shape)
              : LimitSyntax.inWindow(requests, per, shape));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      Extra burst = shape.burst();
      Extra queue = shape.queue();
      if (burst != null && message.startsWith("burst: ")) {
        problems.error(burst.place(), message);
      } else if (queue != null && message.startsWith("queue: ")) {
        problems.error(queue.place(), message);
      } else if (per.isEmpty() || message.startsWith("permits: ")) {
        String refusal = Section.refusal("requests_per_unit", String.valueOf(requests), e);
        problems.error(section.valuePlace("requests_per_unit"), refusal);
      } else {
        problems.error(section.valuePlace("per"), Section.refusal("per", per, e));
      }
      return Optional.empty();
    }
  }

  private static Unit nearest(Limit limit) {
    return limit
        .calendar()
        .map(CalendarWindow::unit)
        .map(UNITS::get)
        .orElseGet(() -> Unit.nearest(limit.window()));
  }

  private Map<Place, String> replaces(EnvoySection section, String own) {
    Map<Place, String> replaces = new LinkedHashMap<>();
    for (Node node : section.list("replaces", "a list, such as [{name: NAME}]")) {
      EnvoySection entry = EnvoySection.of(node, "replaces", Set.of("name"), problems);
      String name = entry.text("name");
      Place place = entry.valuePlace("name");
      if (name.isEmpty() && entry.section().isMapping()) {
        problems.error(place, "replaces", "nothing", "{name: NAME}, the name of another limit");
      } else if (name.equals(own) && !name.isEmpty()) {
        problems.error(place, "replaces", name, "the name of another limit");
      } else if (!name.isEmpty()) {
        replaces.put(place, name);
      }
    }
    return replaces;
  }
}
