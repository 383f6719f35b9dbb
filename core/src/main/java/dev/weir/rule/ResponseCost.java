package dev.weir.rule;

import dev.weir.internal.Rejections;
import java.util.List;

/**
 * Where the response to a request states what the request cost. Such a request is charged an
 * estimate when it arrives, and the difference to the true cost when its response has ended.
 *
 * <p>Only an edge that sees responses can settle the difference; every other edge charges the
 * {@link Cost#defaultCost} as the estimate. Immutable.
 */
public sealed interface ResponseCost {

  /** The name of the value that holds the model of a request. Only a gateway can read it. */
  String MODEL = "model";

  /**
   * A header states the cost.
   *
   * @param name in lower case
   */
  record Header(String name) implements ResponseCost {}

  /**
   * A number in a JSON body states the cost.
   *
   * @param path the names of the members that lead to it, from the outermost
   */
  record Json(List<String> path) implements ResponseCost {
    /** Rejects an empty path with {@link IllegalArgumentException}. */
    public Json {
      path = List.copyOf(path);
      if (path.isEmpty()) {
        throw Rejections.of("path", path, "at least one name");
      }
    }
  }

  /**
   * The usage that the answer of a language model states.
   *
   * @param prices what tokens cost; read only for {@link Unit#MICRO_DOLLARS}
   */
  record LlmUsage(Unit unit, PriceTable prices) implements ResponseCost {

    /** The cost of this many tokens of a model, at most {@link dev.weir.Claim#MAX_COST}. */
    public long of(String model, long inputTokens, long outputTokens) {
      return of(prices.of(model), inputTokens, outputTokens);
    }

    /** The cost of this many tokens at the highest price, at most the maximum of a claim. */
    public long ofUnknownModel(long inputTokens, long outputTokens) {
      return of(prices.highest(), inputTokens, outputTokens);
    }

    private long of(PriceTable.Price price, long inputTokens, long outputTokens) {
      return switch (unit) {
        case TOKENS -> PriceTable.sum(inputTokens, outputTokens);
        case INPUT_TOKENS -> PriceTable.sum(inputTokens, 0);
        case OUTPUT_TOKENS -> PriceTable.sum(0, outputTokens);
        case MICRO_DOLLARS -> price.cost(inputTokens, outputTokens);
      };
    }
  }

  /** What a limit on the usage of a language model counts. */
  enum Unit {
    /** Tokens of the prompt and of the answer. */
    TOKENS,
    /** Tokens of the prompt. */
    INPUT_TOKENS,
    /** Tokens of the answer. */
    OUTPUT_TOKENS,
    /** Millionths of a dollar. */
    MICRO_DOLLARS
  }
}
