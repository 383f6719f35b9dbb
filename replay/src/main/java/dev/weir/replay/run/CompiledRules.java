package dev.weir.replay.run;

import dev.weir.Descriptor;
import dev.weir.http.identity.HttpReader;
import dev.weir.http.identity.HttpSettings;
import dev.weir.http.request.HttpRequest;
import dev.weir.key.KeySpace;
import dev.weir.replay.log.LogEntry;
import dev.weir.replay.measure.Route;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.RuleSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule set as a replay uses it: it reads no tokens, because a log has none that can be verified;
 * and where the rules trust proxies, the log counts as written by the last of them.
 */
final class CompiledRules {
  private static final String ANY_PROXY = "127.0.0.1";
  private static final int TIER_BITS = 16;

  private final RuleSet rules;
  private final RuleBook book;
  private final HttpReader reader;
  private final CallerNames callers;
  private final TierNames tiers;
  private final @Nullable String proxy;
  private final long[] present;
  private long holders;

  CompiledRules(RuleSet rules) {
    this.rules = rules;
    // The keys are the same in each replay, so that rollouts choose the same callers.
    KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    this.book = RuleBook.of(rules.book().rules(), keys, Set.of(CallerNames.ADDRESS));
    this.reader = new HttpReader(rules.http().withJwt(null), book.names());
    this.callers = new CallerNames(book.rules(), book.names());
    this.tiers = new TierNames(book.rules());
    this.proxy = proxy(rules.http());
    this.present = new long[book.names().size()];
  }

  /** An address that the rules trust; null if they trust none. */
  private static @Nullable String proxy(HttpSettings http) {
    if (http.trustedHops() > 0) {
      return ANY_PROXY;
    }
    if (http.trustedProxies().isEmpty()) {
      return null;
    }
    String network = http.trustedProxies().get(0).toString();
    int slash = network.indexOf('/');
    return slash < 0 ? network : network.substring(0, slash);
  }

  PreparedRequest prepare(LogEntry entry) {
    HttpRequest request =
        proxy == null ? entry : new ProxiedEntry(entry, proxy, rules.http().forwardedHeader());
    Descriptor values = reader.open(request).values();
    for (int i = 0; i < present.length; i++) {
      if (values.value(i) != null) {
        present[i]++;
      }
    }
    long holder = entry.durationMicros().isPresent() ? ++holders : 0;
    Match match = book.match(values, holder);
    int name = callers.find(values);
    long kind = (long) name << TIER_BITS | tiers.find(match);
    long route = Route.hash(entry.method(), entry.target());
    return new PreparedRequest(
        entry, values, match, callers.hash(values, name), name, kind + 1, route);
  }

  /** How many requests had a value of this name. */
  long present(String name) {
    int index = book.names().list().indexOf(name);
    return index < 0 ? 0 : present[index];
  }

  /** The kind of caller in words: {@code header x-api-key, tier pro}. */
  String kindName(PreparedRequest request) {
    String tier = tiers.name((int) (request.kind() - 1) & (1 << TIER_BITS) - 1);
    String name = callers.name(request.callerName());
    return tier.isEmpty() ? name : name + ", tier " + tier;
  }

  String callerText(PreparedRequest request) {
    return callers.text(request.values(), request.callerName());
  }

  CallerNames callers() {
    return callers;
  }

  RuleBook book() {
    return book;
  }

  RuleSet rules() {
    return rules;
  }
}
