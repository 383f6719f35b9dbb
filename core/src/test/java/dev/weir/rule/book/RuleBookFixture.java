package dev.weir.rule.book;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Builds rule books, and matches requests against them. */
abstract class RuleBookFixture {
  static final Limit TEN = Limit.tokenBucket(10, Duration.ofSeconds(1));
  static final Limit HUNDRED = Limit.tokenBucket(100, Duration.ofSeconds(1));
  static final Identity USER = Identity.of("header x-user");
  static final Identity IP = Identity.of("ip");
  static final Identity CALLER = Identity.first("caller", List.of(USER, IP));

  private final KeySpace keys = KeySpace.withSecret(new byte[16]);

  Match match(Rule.Builder rule, Map<String, String> request) {
    return book(rule).match(Descriptor.of(request));
  }

  RuleBook book(Rule.Builder... rules) {
    return RuleBook.of(List.of(rules).stream().map(Rule.Builder::build).toList(), keys);
  }

  LimitKey key(Rule.Builder rule, Map<String, String> request) {
    return match(rule, request).claims().get(0).key();
  }

  Limit limit(Rule.Builder rule, Map<String, String> request) {
    return match(rule, request).claims().get(0).limit();
  }
}
