package dev.weir.server;

import dev.weir.domain.DomainBook;
import dev.weir.domain.DomainRule;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.yaml.LiveRules;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How many rules, limits of domains included, do what while the store does not answer. */
record FailureModes(long allow, long deny, long local) {
  static final FailureModes NONE = new FailureModes(0, 0, 0);

  /** Of the rules in force, counted once for each version of them. */
  static Supplier<FailureModes> of(
      Supplier<LiveRules> inForce, Function<LiveRules, DomainBook> domains) {
    return new Supplier<>() {
      private volatile @Nullable Version last;

      @Override
      @SuppressWarnings("ReferenceEquality") // another version is another object
      public FailureModes get() {
        LiveRules live = inForce.get();
        Version known = last;
        if (known == null || known.live != live) {
          known = new Version(live, of(live, domains.apply(live).rules()));
          last = known;
        }
        return known.modes;
      }
    };
  }

  private record Version(LiveRules live, FailureModes modes) {}

  private static FailureModes of(LiveRules live, Collection<DomainRule> domains) {
    return new FailureModes(
        count(live, domains, WhenStoreFails.ALLOW),
        count(live, domains, WhenStoreFails.DENY),
        count(live, domains, WhenStoreFails.LOCAL));
  }

  private static long count(LiveRules live, Collection<DomainRule> domains, WhenStoreFails wanted) {
    return Stream.concat(
            live.book().rules().stream().map(FailureModes::then),
            domains.stream().filter(one -> one.rate() != null).map(DomainRule::whenStoreFails))
        .filter(then -> then == wanted)
        .count();
  }

  /** A rule that never asks the store counts as it always does. */
  private static WhenStoreFails then(Rule rule) {
    return rule.mode().isLocal() ? WhenStoreFails.LOCAL : rule.whenStoreFails();
  }

  @Override
  public String toString() {
    return "allow: " + allow + ", deny: " + deny + ", count locally: " + local;
  }
}
