package dev.weir.rules.syntax;

import dev.weir.Claim;
import dev.weir.rule.Cost;
import dev.weir.rule.ResponseCost;
import dev.weir.rule.ResponseCost.Unit;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads {@code cost}: what a request costs, stated by the rule, the request or the response. Not
 * thread-safe.
 */
public final class CostSyntax {
  static final Set<String> KEYS =
      Set.of("from", "max", "otherwise", "response-header", "response-json", "llm", "estimate");

  private static final List<String> STATED_BY =
      List.of("from", "response-header", "response-json", "llm");

  static final Map<String, Unit> UNITS =
      Map.of(
          "tokens", Unit.TOKENS,
          "input-tokens", Unit.INPUT_TOKENS,
          "output-tokens", Unit.OUTPUT_TOKENS,
          "micro-dollars", Unit.MICRO_DOLLARS);

  /** The estimated tokens of a request whose contents an edge does not see. */
  private static final long UNSEEN_TOKENS = 1_000;

  private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~A-Za-z0-9-]{1,256}");
  private static final Pattern JSON_PATH =
      Pattern.compile("[^.\\[\\]\\s]{1,64}(\\.[^.\\[\\]\\s]{1,64}){0,7}");

  /** Headers that a response needs, and that a gateway therefore must not remove. */
  private static final Set<String> NEEDED_HEADERS =
      Set.of(
          "connection", "content-encoding", "content-length", "content-type", "transfer-encoding");

  private final IdentitySyntax identities;
  private final PriceSyntax prices;
  private final Problems problems;

  /** A reader for the rules of one version, after its identities and prices were read. */
  public CostSyntax(IdentitySyntax identities, PriceSyntax prices, Problems problems) {
    this.identities = identities;
    this.prices = prices;
    this.problems = problems;
  }

  /** Reads the cost of a rule; empty if it has none, or an invalid one. */
  Optional<Cost> read(Section rule) {
    if (!(rule.node("cost") instanceof YamlNode.Fields fields)) {
      var fixed = rule.number("cost", 1, Claim.MAX_COST);
      return fixed.isPresent() ? Optional.of(Cost.of(fixed.getAsLong())) : Optional.empty();
    }
    Section cost = Section.of(fields, "cost", KEYS, problems);
    List<String> stated = STATED_BY.stream().filter(cost::has).toList();
    if (stated.size() > 1) {
      String expected = "one of " + String.join(", ", stated);
      problems.error(
          cost.location(stated.get(1)), stated.get(1), "beside " + stated.get(0), expected);
      return Optional.empty();
    }
    boolean byResponse = stated.size() == 1 && !cost.has("from");
    for (String key : byResponse ? List.of("max", "otherwise") : List.of("estimate")) {
      if (cost.has(key)) {
        String expected =
            byResponse
                ? "only beside from; beside " + stated.get(0) + " write estimate"
                : "only beside response-header, response-json or llm";
        problems.error(cost.location(key), key, "in this cost", expected);
      }
    }
    return byResponse ? readResponse(cost) : readRequest(cost, fields);
  }

  /** Reads {@code {from: header X-Cost, max: 100, otherwise: 1}}. */
  private Optional<Cost> readRequest(Section cost, YamlNode node) {
    if (cost.lacks("from")
        ? cost.lacks("response-header", "response-json", "llm")
        : cost.lacks("max")) {
      problems.error(node.location(), "cost", "a mapping", "{from: header NAME, max: NUMBER}");
    }
    Optional<String> value = cost.text("from").flatMap(text -> identities.value(text, "from"));
    var max = cost.number("max", 1, Claim.MAX_COST);
    var otherwise = cost.number("otherwise", 0, Claim.MAX_COST);
    if (value.isEmpty() || max.isEmpty()) {
      return Optional.empty();
    }
    if (otherwise.isPresent() && otherwise.getAsLong() > max.getAsLong()) {
      String expected = "at most max, which is " + max.getAsLong();
      problems.error(cost.location("otherwise"), "otherwise", "" + otherwise.getAsLong(), expected);
      return Optional.empty();
    }
    return Optional.of(new Cost(value.get(), otherwise.orElse(1), max.getAsLong()));
  }

  /** Reads {@code {response-header: X-Cost, estimate: 1}} and the like. */
  private Optional<Cost> readResponse(Section cost) {
    Optional<ResponseCost> response = Optional.empty();
    if (cost.has("response-header")) {
      response = cost.parse("response-header", CostSyntax::header);
    } else if (cost.has("response-json")) {
      response = cost.parse("response-json", CostSyntax::jsonPath);
    } else {
      Optional<Unit> unit = cost.choice("llm", UNITS);
      if (unit.filter(one -> one == Unit.MICRO_DOLLARS).isPresent()) {
        prices.require(cost.location("llm"), "llm", "micro-dollars");
      }
      response = unit.map(one -> new ResponseCost.LlmUsage(one, prices.table(one)));
    }
    var estimate = cost.number("estimate", 1, Claim.MAX_COST);
    if (response.isEmpty() || (estimate.isEmpty() && cost.has("estimate"))) {
      return Optional.empty();
    }
    return response.map(one -> Cost.settledBy(one, estimate.orElse(usualEstimate(one))));
  }

  private static long usualEstimate(ResponseCost response) {
    if (!(response instanceof ResponseCost.LlmUsage usage)) {
      return 1;
    }
    return usage.unit() == Unit.MICRO_DOLLARS
        ? Math.max(1, usage.prices().highest().cost(UNSEEN_TOKENS, UNSEEN_TOKENS))
        : UNSEEN_TOKENS;
  }

  private static ResponseCost header(String written) {
    String name = IdentitySyntax.lower(written.strip());
    if (NEEDED_HEADERS.contains(name) || !HEADER.matcher(name).matches()) {
      String expected = "a header of the response that only states its cost, such as X-Cost";
      throw LimitSyntax.invalid("response-header", written, expected);
    }
    return new ResponseCost.Header(name);
  }

  private static ResponseCost jsonPath(String written) {
    if (!JSON_PATH.matcher(written).matches()) {
      String expected = "names of members with dots between them, such as usage.total; at most 8";
      throw LimitSyntax.invalid("response-json", written, expected);
    }
    return new ResponseCost.Json(List.of(written.split("\\.", -1)));
  }
}
