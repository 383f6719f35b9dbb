package dev.weir.library.internal;

import dev.weir.rule.book.RuleBook;
import dev.weir.rules.RulesSnapshot;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a snapshot that a limiter decides by. Thread-safe; a selection is made once for each
 * version of the rules.
 *
 * <p>If a new version no longer has the one rule that a selection is for, the last one stays in
 * use: a route must not lose its limit by a typing error in a file.
 */
public final class RuleSelection {
  private static final System.Logger LOG = System.getLogger(RuleSelection.class.getName());

  /** All rules. */
  public static final RuleSelection ALL = new RuleSelection(Set::of, false);

  private final Supplier<Set<String>> names;
  private final boolean only;
  private volatile @Nullable Selected last;

  /**
   * What was selected from a version, by which names.
   *
   * @param outdated whether the version has no such rules, and those of an earlier one are in use
   */
  private record Selected(RulesSnapshot from, Set<String> names, RuleBook book, boolean outdated) {}

  private RuleSelection(Supplier<Set<String>> names, boolean only) {
    this.names = names;
    this.only = only;
  }

  /** The rules of one name, which a snapshot has. */
  public static RuleSelection only(String name, RulesSnapshot current) {
    Set<String> one = Set.of(name);
    RuleSelection selection = new RuleSelection(() -> one, true);
    selection.book(current); // in use from now on, should the next version lack the rule
    return selection;
  }

  /** All rules but those of some names, which may change. */
  public static RuleSelection except(Supplier<Set<String>> names) {
    return new RuleSelection(names, false);
  }

  /** The selected rules of a snapshot. */
  public RuleBook book(RulesSnapshot current) {
    Set<String> wanted = names.get();
    if (!only && wanted.isEmpty()) {
      return current.book();
    }
    Selected selected = last;
    if (selected == null || selected.from != current || !selected.names.equals(wanted)) {
      selected = select(current, Set.copyOf(wanted)); // the names may change meanwhile
    }
    return selected.book;
  }

  private Selected keep(Selected selected) {
    last = selected;
    return selected;
  }

  private synchronized Selected select(RulesSnapshot current, Set<String> wanted) {
    Selected before = last;
    RuleBook book = current.book().subset(rule -> wanted.contains(rule.name()) == only);
    if (!only || before == null || !book.rules().isEmpty()) {
      return keep(new Selected(current, wanted, book, false));
    }
    if (!before.outdated) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The active rules have no rule {0} any more; the last one stays in use (add it to the"
              + " rules again, or restart without the route that names it)",
          wanted.iterator().next());
    }
    return keep(new Selected(current, wanted, before.book, true));
  }
}
