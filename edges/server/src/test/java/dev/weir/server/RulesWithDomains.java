package dev.weir.server;

import dev.weir.rules.ActiveRules;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.domain.DomainBook;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Active rules with domains that a test chooses, compiled once for each version. */
final class RulesWithDomains implements ActiveRules {
  private final ActiveRules rules;
  private final Function<RulesSnapshot, DomainBook> domains;
  private @Nullable RulesSnapshot original;
  private @Nullable RulesSnapshot replaced;

  RulesWithDomains(ActiveRules rules, Function<RulesSnapshot, DomainBook> domains) {
    this.rules = rules;
    this.domains = domains;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // another version is another object
  public synchronized RulesSnapshot current() {
    RulesSnapshot now = rules.current();
    if (replaced == null || original != now) {
      original = now;
      DomainBook book = domains.apply(now);
      replaced = book == now.rules().domains() ? now : now.withDomains(book);
    }
    return replaced;
  }

  @Override
  public void adjust(List<Adjustment> adjustments) {
    rules.adjust(adjustments);
  }

  @Override
  public Status status() {
    return rules.status();
  }

  @Override
  public CompletionStage<Void> loaded() {
    return rules.loaded();
  }

  @Override
  public boolean isLoaded() {
    return rules.isLoaded();
  }
}
