package dev.weir.rules.syntax;

import dev.weir.rule.PriceTable;
import dev.weir.rule.PriceTable.Price;
import dev.weir.rule.ResponseCost.Unit;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads {@code prices}: what a million tokens of each model cost, in dollars. Not thread-safe.
 *
 * <p>A price is a decimal number, which is read digit by digit as whole micro-dollars.
 */
public final class PriceSyntax {
  static final Set<String> KEYS = Set.of("input", "output");

  private static final int MAX_MODELS = 1_000;
  private static final int MAX_CHARS = 256;

  /** The digits after the point, down to a micro-dollar. */
  private static final int DECIMALS = 6;

  private static final Pattern DOLLARS = Pattern.compile("(\\d{1,7})(?:\\.(\\d{1,6}))?");

  private final List<PriceTable.Entry> entries = new ArrayList<>();
  private final Map<String, SourceLocation> locations = new HashMap<>();
  private boolean incomplete;
  private final Problems problems;

  /** A reader without prices. */
  public PriceSyntax(Problems problems) {
    this.problems = problems;
  }

  /** Suppresses errors for missing prices, since some could not be read. */
  public void markIncomplete() {
    incomplete = true;
  }

  /** Adds the prices of a {@code prices} section. */
  public void define(Section section) {
    incomplete |= !section.isMapping();
    if (locations.size() + section.fields().size() > MAX_MODELS) {
      String expected = "at most " + MAX_MODELS;
      problems.error(section.location(), "prices", section.fields().size() + " models", expected);
      incomplete = true;
      return;
    }
    for (YamlNode.Field field : section.fields()) {
      define(field);
    }
  }

  private void define(YamlNode.Field field) {
    String models = field.key().value();
    SourceLocation location = field.key().location();
    SourceLocation first = locations.putIfAbsent(models, location);
    if (first != null) {
      problems.error(location, "prices", models, "each name once; the first is at " + first);
      return;
    }
    if (models.isBlank() || models.length() > MAX_CHARS) {
      String expected = "the name of a model, such as gpt-4o or gpt-4o*";
      problems.error(location, "prices", models, expected);
    }
    if (!(field.value() instanceof YamlNode.Fields)) {
      String expected = "dollars for a million tokens, such as {input: 2.50, output: 10.00}";
      problems.error(field.value().location(), models, field.value().kind(), expected);
      incomplete = true;
      return;
    }
    Section price = Section.of(field.value(), models, KEYS, problems);
    for (String key : List.of("input", "output")) {
      if (price.lacks(key)) {
        problems.error(price.location(), models, "no " + key, "a price for input and for output");
      }
    }
    Optional<Long> input = price.parse("input", text -> microDollars("input", text));
    Optional<Long> output = price.parse("output", text -> microDollars("output", text));
    if (input.isEmpty() || output.isEmpty()) {
      incomplete = true;
    } else {
      entries.add(new PriceTable.Entry(models, new Price(input.get(), output.get())));
    }
  }

  private static long microDollars(String field, String written) {
    var number = DOLLARS.matcher(written);
    long price = -1;
    if (number.matches()) {
      String decimals = number.group(2) == null ? "" : number.group(2);
      price = Long.parseLong(number.group(1) + decimals + "0".repeat(DECIMALS - decimals.length()));
    }
    if (price < 0 || price > PriceTable.MAX_PRICE) {
      String expected = "dollars for a million tokens, such as 2.50, with at most 6 decimals";
      throw LimitSyntax.invalid(field, written, expected);
    }
    return price;
  }

  /** Adds an error at {@code location} if there is no price. */
  void require(SourceLocation location, String field, String value) {
    if (entries.isEmpty() && !incomplete) {
      String expected = "prices in the file, such as prices: {gpt-4o*: {input: 2.5, output: 10}}";
      problems.error(location, field, value, expected);
    }
  }

  /** The prices that a limit in this unit needs. */
  PriceTable table(Unit unit) {
    return unit == Unit.MICRO_DOLLARS ? new PriceTable(entries) : PriceTable.EMPTY;
  }
}
