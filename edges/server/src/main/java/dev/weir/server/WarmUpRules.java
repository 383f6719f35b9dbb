package dev.weir.server;

import com.google.protobuf.ByteString;
import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.http.identity.HttpSettings;
import dev.weir.key.KeySpace;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.domain.Branch;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Unit;
import dev.weir.rules.gateway.GatewaySettings;
import dev.weir.server.warmup.Call;
import dev.weir.server.warmup.Driver;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rules of the warm-up, and the calls that match them.
 *
 * <p>There are rules of every algorithm, some of which deny, so that every outcome of a request
 * occurs; and with them the first rules of the operator, with calls that are derived from their
 * conditions. All counters have random keys, which no other server uses.
 */
final class WarmUpRules implements Driver.Calls {
  private static final String DOMAIN = "weir-warm-up";
  private static final String CALLER = "x-weir-warm-up";
  private static final String ONE = "/weir-warm-up/one";
  private static final String SEVERAL = "/weir-warm-up/several";
  private static final int CALLERS = 48;

  /** The maximum number of rules, with those of the operator that take part. */
  private static final int MAX_RULES = 20;

  private static final String DECIDE =
      "{\"values\": {\"path\": \"%s\", \"header " + CALLER + "\": \"%d\"}}";

  private final KeySpace keys = KeySpace.random();
  private final RulesSnapshot live;
  private final boolean proxied;
  private final List<String> paths = new ArrayList<>(List.of(ONE, SEVERAL, ONE));

  private WarmUpRules(RulesSnapshot operators, boolean proxied) {
    this.proxied = proxied;
    List<Rule> rules = new ArrayList<>(own());
    Set<String> names = rules.stream().map(Rule::name).collect(Collectors.toSet());
    for (Rule rule : operators.book().rules()) {
      if (rules.size() >= MAX_RULES) {
        break;
      }
      // Names are unique, and operators may use any; a proxy would hold back calls of a leaky one.
      if (!names.contains(rule.name()) && !(proxied && holdsBack(rule))) {
        rules.add(rule);
        rule.match().forEach(this::addPath);
      }
    }
    HttpSettings http = operators.rules().http().withJwt(null); // these calls carry no token
    DomainBook domains = DomainBook.of(List.of(domain()));
    this.live =
        RulesSnapshot.of(
            new RuleSet(
                RuleBook.of(rules, keys),
                List.of(),
                http,
                domains,
                GatewaySettings.NONE,
                "warm-up",
                List.of()));
  }

  /** Rules for a server that decides, and calls to its endpoints. */
  static WarmUpRules of(RulesSnapshot operators) {
    return new WarmUpRules(operators, false);
  }

  /** Rules for a server that passes requests on, and calls of its clients. */
  static WarmUpRules proxied(RulesSnapshot operators) {
    return new WarmUpRules(operators, true);
  }

  private static boolean holdsBack(Rule rule) {
    return rule.allowances().stream()
        .flatMap(one -> one.limits().stream())
        .anyMatch(one -> one.algorithm() == Algorithm.LEAKY_BUCKET);
  }

  private void addPath(Condition condition) {
    if (condition instanceof Condition.Path path) {
      String example = path.patterns().get(0).toString().replaceAll("\\{[^/}]*}|\\*+", "x");
      if (example.matches("/[\\w./~-]{0,200}")) {
        paths.add(example);
      }
    }
  }

  private static List<Rule> own() {
    Duration second = Duration.ofSeconds(1);
    Identity caller = Identity.of("header " + CALLER);
    return List.of(
        Rule.named("weir-warm-up-one")
            .match(Condition.path(ONE))
            .per(caller)
            .limit(Limit.fixedWindow(50, second))
            .build(),
        Rule.named("weir-warm-up-several")
            .match(Condition.path(SEVERAL))
            .per(caller)
            .limit(
                Limit.tokenBucket(50, second),
                Limit.leakyBucket(5_000, second, 50), // a proxy holds calls back for no time
                Limit.slidingCounter(50, second),
                Limit.slidingLog(50, second))
            .build(),
        Rule.named("weir-warm-up-envoy")
            .match(Condition.oneOf("domain", DOMAIN))
            .per(Identity.of("entry caller"))
            .limit(Limit.tokenBucket(50, second))
            .build());
  }

  private static Domain domain() {
    DomainRule rule =
        new DomainRule(
            DOMAIN + ".caller",
            DomainRule.Rate.of(50, Unit.SECOND, false),
            "",
            Set.of(),
            DomainRule.Enforcement.of(FailureMode.LOCAL),
            DomainRule.Reporting.PLAIN);
    return Domain.of(DOMAIN, List.of(new Branch("caller", "", false, false, rule, List.of())));
  }

  RulesSnapshot live() {
    return live;
  }

  KeySpace keys() {
    return keys;
  }

  @Override
  public Call check(int number) {
    String path = paths.get(number % paths.size());
    return Call.get(
        proxied ? path : "/v1/check" + path, Map.of(CALLER, Integer.toString(number % CALLERS)));
  }

  @Override
  public Call decide(int number) {
    String body = DECIDE.formatted(number % 2 == 0 ? ONE : SEVERAL, number % CALLERS);
    String caller = Integer.toString(number % CALLERS);
    Map<String, String> headers = Map.of("content-type", "application/json", CALLER, caller);
    return new Call("POST", proxied ? ONE : "/v1/decide", headers, ByteString.copyFromUtf8(body));
  }

  @Override
  public Call rateLimit(int number) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain(DOMAIN);
    RateLimitDescriptor.Entry.Builder entry =
        RateLimitDescriptor.Entry.newBuilder()
            .setKey("caller")
            .setValue(Integer.toString(number % CALLERS));
    ByteString message =
        request
            .addDescriptors(RateLimitDescriptor.newBuilder().addEntries(entry))
            .build()
            .toByteString();
    ByteBuffer prefix = ByteBuffer.allocate(5).putInt(1, message.size());
    ByteString body = ByteString.copyFrom(prefix).concat(message);
    Map<String, String> headers = Map.of("content-type", "application/grpc", "te", "trailers");
    String path = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    return new Call("POST", path, headers, body);
  }
}
