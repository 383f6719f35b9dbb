package dev.weir.rules.envoy;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.DomainRule.Rate;
import dev.weir.rules.domain.Unit;
import dev.weir.rules.syntax.AllowanceSyntax;
import dev.weir.rules.syntax.LimitSyntax;
import dev.weir.rules.syntax.LimitSyntax.BucketSize;
import dev.weir.rules.syntax.LimitSyntax.LimitOptions;
import dev.weir.rules.syntax.RuleSyntax;
import dev.weir.rules.yaml.LintCodes;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
import dev.weir.time.CalendarWindow;
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

/** Reads {@code rate_limit}: Envoy's fields, and the extensions of Weir. */
final class EnvoyRates {
  /** The keys that Envoy's rate limit service knows. */
  static final Set<String> ENVOY_KEYS =
      Set.of("unit", "requests_per_unit", "unlimited", "name", "replaces");

  /** The keys that only Weir knows. */
  static final Set<String> EXTENSION_KEYS =
      Set.of(
          "unit_multiplier", "per", "algorithm", "burst", "queue", "when_store_fails", "priority");

  static final Set<String> KEYS =
      Stream.concat(ENVOY_KEYS.stream(), EXTENSION_KEYS.stream()).collect(Collectors.toSet());

  private static final Set<String> BESIDE_UNLIMITED = Set.of("unlimited", "name", "replaces");
  private static final Map<String, Algorithm> ALGORITHMS =
      LimitSyntax.ALGORITHMS.entrySet().stream()
          .collect(Collectors.toMap(one -> one.getKey().replace('-', '_'), Map.Entry::getValue));
  private static final Map<String, Unit> UNITS =
      Stream.of(Unit.values()).collect(Collectors.toMap(EnvoyRates::lower, Function.identity()));

  /** A bound for {@code priority}, which only orders the limits of one request. */
  private static final int MAX_PRIORITY = 1_000;

  private final boolean strict;
  private final Problems problems;

  /**
   * A reader for the limits of one domain.
   *
   * @param strict whether the domain charges a request all or none
   */
  EnvoyRates(boolean strict, Problems problems) {
    this.strict = strict;
    this.problems = problems;
  }

  /**
   * The content of a {@code rate_limit}.
   *
   * @param rate null if unlimited
   * @param replaces names by location
   */
  record Parsed(
      @Nullable Rate rate,
      String name,
      Map<SourceLocation, String> replaces,
      FailureMode whenStoreFails,
      int priority) {}

  private static String lower(Unit unit) {
    return unit.name().toLowerCase(Locale.ROOT);
  }

  Parsed read(YamlNode node) {
    EnvoySection section = EnvoySection.of(node, "rate_limit", KEYS, problems);
    String name = section.text("name");
    FailureMode fails =
        section.choice("when_store_fails", RuleSyntax.STORE_FAILS).orElse(FailureMode.LOCAL);
    long priority = section.section().number("priority", -MAX_PRIORITY, MAX_PRIORITY).orElse(0);
    return new Parsed(
        rate(section).orElse(null), name, replaces(section, name), fails, (int) priority);
  }

  /** The rate; empty if unlimited or invalid. */
  private Optional<Rate> rate(EnvoySection section) {
    long errors = problems.errors();
    boolean unlimited = section.flag("unlimited");
    long requests = section.number("requests_per_unit").orElse(0);
    String written = section.text("unit");
    Unit unit = UNITS.get(written.toLowerCase(Locale.ROOT));
    LimitOptions options = shape(section);
    if (unlimited) {
      checkBesideUnlimited(section, unit);
      return Optional.empty();
    }
    boolean hasPer = section.section().has("per");
    if (hasPer) {
      refuseBesidePer(section);
    } else if (unit == null && (!written.isEmpty() || section.isMissing("unit"))) {
      String found = written.isEmpty() ? "nothing" : written;
      problems.error(
          section.valueLocation("unit"), "unit", found, Spelling.expected(found, UNITS.keySet()));
    }
    Duration one = unit == null ? Unit.SECOND.duration() : unit.duration();
    long max = Limit.MAX_WINDOW.dividedBy(one);
    long times = section.section().number("unit_multiplier", 1, max).orElse(1);
    if (problems.errors() > errors) {
      return Optional.empty();
    }
    if (section.isMissing("requests_per_unit")) {
      String message =
          "requests_per_unit: nothing, which blocks everything (write 0 if that is intended)";
      problems.warning(section.location("requests_per_unit"), LintCodes.BLOCKS_EVERYTHING, message);
    }
    Optional<Limit> limit =
        limit(
            section,
            hasPer ? section.text("per") : "",
            Math.max(1, requests),
            one.multipliedBy(times),
            options);
    boolean accountedStrictly = strict || options.algorithm() != Algorithm.FIXED_WINDOW;
    return limit.map(
        made ->
            new Rate(
                requests == 0 ? List.of() : List.of(made),
                requests,
                unit == null ? nearest(made) : unit,
                accountedStrictly));
  }

  private LimitOptions shape(EnvoySection section) {
    LimitOptions options =
        new LimitOptions(
            section.choice("algorithm", ALGORITHMS).orElse(Algorithm.FIXED_WINDOW),
            AllowanceSyntax.bucketSize(section.section(), "burst", 1),
            AllowanceSyntax.bucketSize(section.section(), "queue", 0));
    refuseForOtherAlgorithms(Algorithm.TOKEN_BUCKET, "burst", options.burst(), options);
    refuseForOtherAlgorithms(Algorithm.LEAKY_BUCKET, "queue", options.queue(), options);
    return options;
  }

  private void refuseForOtherAlgorithms(
      Algorithm algorithm, String field, @Nullable BucketSize size, LimitOptions options) {
    if (size != null && options.algorithm() != algorithm) {
      String expected = "algorithm: " + algorithm.name().toLowerCase(Locale.ROOT) + " beside it";
      problems.error(size.location(), field, String.valueOf(size.value()), expected);
    }
  }

  private void checkBesideUnlimited(EnvoySection section, @Nullable Unit unit) {
    for (YamlNode.Field field : section.section().fields()) {
      SourceLocation location = field.key().location();
      String key = field.key().value();
      if (key.equals("per") || (key.equals("unit") && unit != null)) {
        problems.error(location, key, "beside unlimited", "one of them");
      } else if (KEYS.contains(key) && !BESIDE_UNLIMITED.contains(key)) {
        problems.warning(location, LintCodes.IGNORED_FIELD, key + ": ignored beside unlimited");
      }
    }
  }

  private void refuseBesidePer(EnvoySection section) {
    for (String key : List.of("unit", "unit_multiplier")) {
      if (section.section().has(key)) {
        problems.error(section.location(key), key, "beside per", "one of them");
      }
    }
    if (section.node("per") == null) {
      problems.error(section.location("per"), "per", "nothing", LimitSyntax.EXPECTED_WINDOW);
    }
  }

  private Optional<Limit> limit(
      EnvoySection section, String per, long requests, Duration window, LimitOptions options) {
    try {
      return Optional.of(
          per.isEmpty()
              ? LimitSyntax.onClock(requests, window, options)
              : LimitSyntax.inWindow(requests, per, options));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      BucketSize burst = options.burst();
      BucketSize queue = options.queue();
      if (burst != null && message.startsWith("burst: ")) {
        problems.error(burst.location(), message);
      } else if (queue != null && message.startsWith("queue: ")) {
        problems.error(queue.location(), message);
      } else if (per.isEmpty() || message.startsWith("permits: ")) {
        String refusal = Section.errorMessage("requests_per_unit", String.valueOf(requests), e);
        problems.error(section.valueLocation("requests_per_unit"), refusal);
      } else {
        problems.error(section.valueLocation("per"), Section.errorMessage("per", per, e));
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

  private Map<SourceLocation, String> replaces(EnvoySection section, String ownName) {
    Map<SourceLocation, String> replaces = new LinkedHashMap<>();
    for (YamlNode node : section.list("replaces", "a list, such as [{name: NAME}]")) {
      EnvoySection entry = EnvoySection.of(node, "replaces", Set.of("name"), problems);
      String name = entry.text("name");
      SourceLocation location = entry.valueLocation("name");
      if (name.isEmpty() && entry.section().isMapping()) {
        problems.error(location, "replaces", "nothing", "{name: NAME}, the name of another limit");
      } else if (name.equals(ownName) && !name.isEmpty()) {
        problems.error(location, "replaces", name, "the name of another limit");
      } else if (!name.isEmpty()) {
        replaces.put(location, name);
      }
    }
    return replaces;
  }
}
