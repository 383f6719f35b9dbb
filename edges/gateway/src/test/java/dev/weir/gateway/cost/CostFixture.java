package dev.weir.gateway.cost;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.rule.Cost;
import dev.weir.rule.PriceTable;
import dev.weir.rule.ResponseCost;
import dev.weir.rule.ResponseCost.LlmUsage;
import dev.weir.rule.ResponseCost.Unit;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A limiter with one or more rules, whose costs a response states. */
final class CostFixture {
  final AtomicLong nanos = new AtomicLong(1);
  final Limiter limiter;
  final Costs costs;
  final RuleBook book;

  CostFixture(Limiter limiter, Rule... rules) {
    this.limiter = limiter;
    this.costs = new Costs(limiter, nanos::get);
    this.book = RuleBook.of(List.of(rules), KeySpace.random());
  }

  CostFixture(Store store, Rule... rules) {
    this(new Limiter(store, (rule, outcome, subject) -> {}), rules);
  }

  static Rule rule(String name, Limit limit, ResponseCost response, long estimate) {
    return Rule.named(name).limit(limit).cost(Cost.settledBy(response, estimate)).build();
  }

  static Rule tokens(Limit limit) {
    return rule("tokens", limit, new LlmUsage(Unit.TOKENS, PriceTable.EMPTY), 1_000);
  }

  static LlmRequest request(String body) {
    return LlmRequest.read(body.getBytes(StandardCharsets.UTF_8), "/v1/chat/completions");
  }

  /** The match of a request, with its estimates. */
  Match match(LlmRequest request) {
    String model = request.model();
    Map<String, String> values = model == null ? Map.of() : Map.of("model", model);
    return costs.estimate(book.match(Descriptor.of(values)), request);
  }

  /** A request that is taken; empty if it was denied. */
  Optional<Settlement> take(LlmRequest request) {
    long takenNanos = costs.nanos();
    Match match = match(request);
    Answer answer = limiter.take(match);
    return costs.open(match, answer.join(), request, takenNanos);
  }

  /** What the counters hold now, in the order of the rules. */
  List<Long> used() {
    Match match = book.match(Descriptor.of(Map.of()));
    List<Claim> claims = match.claims().stream().map(claim -> claim.withCost(0)).toList();
    Decision now = limiter.store().peek(claims).join();
    return IntStream.range(0, claims.size())
        .mapToObj(i -> used(claims.get(i), now.each().get(i)))
        .toList();
  }

  static long used(Claim claim, Decision now) {
    return claim.limit().capacity() - now.remaining() + now.debt();
  }

  static void feed(Settlement settlement, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    settlement.onBody(bytes, 0, bytes.length);
  }
}
