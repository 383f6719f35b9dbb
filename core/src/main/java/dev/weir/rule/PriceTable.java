package dev.weir.rule;

import dev.weir.Claim;
import dev.weir.internal.Rejections;
import dev.weir.rule.condition.Condition;
import java.util.List;
import java.util.Set;

/**
 * The prices of language models, in whole micro-dollars. Immutable and safe for use by any number
 * of threads.
 *
 * <p>The first entry that fits a model applies. A model that fits none has the highest price of the
 * table, so that a client gains nothing by an unusual name.
 *
 * @param entries in the order in which they are tried
 */
public record PriceTable(List<Entry> entries) {
  /** Tokens that a price is for. */
  public static final long TOKENS = 1_000_000;

  /** The highest price, in micro-dollars for {@link #TOKENS}: a dollar for each token. */
  public static final long MAX_PRICE = 1_000_000 * TOKENS;

  /** A table without prices: everything is free. */
  public static final PriceTable EMPTY = new PriceTable(List.of());

  /** Copies the entries. */
  public PriceTable {
    entries = List.copyOf(entries);
  }

  /**
   * The price of some models.
   *
   * @param models a glob: {@code *} stands for any characters
   */
  public record Entry(String models, Price price) {
    boolean fits(String model) {
      return new Condition.Like(ResponseCost.MODEL, Set.of(models)).test(model);
    }
  }

  /**
   * The price of {@link #TOKENS} tokens, in micro-dollars.
   *
   * @param input for tokens of the prompt
   * @param output for tokens of the answer
   */
  public record Price(long input, long output) {
    /** Rejects prices below 0 or above {@link #MAX_PRICE} with IllegalArgumentException. */
    public Price {
      Rejections.between("input", input, 0, MAX_PRICE);
      Rejections.between("output", output, 0, MAX_PRICE);
    }

    /** What the tokens cost, rounded up to whole micro-dollars. */
    public long cost(long inputTokens, long outputTokens) {
      return sum(costOf(inputTokens, input), costOf(outputTokens, output));
    }

    private static long costOf(long tokens, long price) {
      if (tokens <= 0 || price == 0) {
        return 0;
      }
      // Whole lots of tokens first, so that no product overflows.
      long lots = tokens / TOKENS;
      long rest = tokens % TOKENS * price; // below 10^6 · 10^12
      return lots > Claim.MAX_COST / price
          ? Claim.MAX_COST
          : lots * price + (rest + TOKENS - 1) / TOKENS;
    }
  }

  /** The price of a model. */
  public Price of(String model) {
    for (Entry entry : entries) {
      if (entry.fits(model)) {
        return entry.price;
      }
    }
    return highest();
  }

  /** The highest price for input, and the highest for output. */
  public Price highest() {
    long input = 0;
    long output = 0;
    for (Entry entry : entries) {
      input = Math.max(input, entry.price.input);
      output = Math.max(output, entry.price.output);
    }
    return new Price(input, output);
  }

  /** The sum of two costs, at most {@link Claim#MAX_COST}; what is negative counts as 0. */
  static long sum(long one, long other) {
    long first = Math.min(Math.max(0, one), Claim.MAX_COST);
    return Math.min(Claim.MAX_COST, first + Math.min(Math.max(0, other), Claim.MAX_COST));
  }
}
