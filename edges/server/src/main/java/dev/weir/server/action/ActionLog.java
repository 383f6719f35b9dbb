package dev.weir.server.action;

import dev.weir.rules.action.Adjustment;
import dev.weir.server.action.Action.Stamp;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Logs when actions begin and end on this server, and when they are not shared. For one thread, but
 * for {@link #onChange}.
 */
final class ActionLog {
  private static final Logger LOG = System.getLogger(ActionLog.class.getName());

  /** So many failures in a row are worth a line: a single one may be a hiccup. */
  private static final int REPORTED_FAILURES = 3;

  private static final int MAX_UNREADABLE = 1_000;

  private final Set<String> unreadable = new HashSet<>();
  private int failures;
  private volatile Consumer<String> listener = line -> {};

  void begins(Action action) {
    Stamp taken = action.taken();
    String by = "; by " + taken.by() + " from " + taken.address() + ": " + action.why();
    String until = " until " + action.until();
    report("Action " + action.id() + " is in force: " + words(action) + until + by);
  }

  void undone(Action action) {
    Stamp by = action.undone().orElse(action.taken());
    String who = " is undone by " + by.by() + " from " + by.address();
    report("Action " + action.id() + who + ": " + words(action));
  }

  void ended(Action action) {
    report("Action " + action.id() + " has ended: " + words(action));
  }

  private void report(String line) {
    LOG.log(Level.INFO, line);
    listener.accept(line);
  }

  /** Has what happens to actions from now on reported to a listener too, in words. */
  void onChange(Consumer<String> called) {
    listener = called;
  }

  /** What an action does, in words. */
  private static String words(Action action) {
    Adjustment adjustment = action.adjustment();
    String target =
        adjustment.caller().isPresent()
            ? " caller "
                + CallerHash.text(adjustment.caller().getAsLong())
                + adjustment.rule().map(rule -> " by rule " + rule).orElse(" by all rules")
            : " " + adjustment.rule().orElse("");
    String by = adjustment.factor().map(factor -> " by " + factor).orElse("");
    return adjustment.kind().label() + target + by;
  }

  void putBack(int count) {
    LOG.log(Level.WARNING, "The store had lost actions, and has them again: " + count);
  }

  /** An entry of the table that is no action, or one of a newer version of this program. */
  void unreadable(String id) {
    if (unreadable.size() < MAX_UNREADABLE && unreadable.add(id)) {
      LOG.log(Level.WARNING, "Action " + id + " in the store is ignored: it cannot be read");
    }
  }

  void onFailure(String cause) {
    failures++;
    if (failures == REPORTED_FAILURES) {
      LOG.log(
          Level.WARNING,
          "Actions are not shared through the store: "
              + cause
              + "; until they are, those in force end on time, and new ones are refused");
    }
  }

  void onSuccess() {
    if (failures >= REPORTED_FAILURES) {
      LOG.log(Level.INFO, "Actions are shared through the store again");
    }
    failures = 0;
  }
}
