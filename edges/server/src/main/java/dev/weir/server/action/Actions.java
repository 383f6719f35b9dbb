package dev.weir.server.action;

import dev.weir.StoreFailure;
import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.async.SystemScheduler;
import dev.weir.rules.ActiveRules;
import dev.weir.rules.RuleSet;
import dev.weir.rules.action.AdjustedRules;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.action.Adjustment.Kind;
import dev.weir.server.action.Action.Stamp;
import dev.weir.server.log.Failures;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTable.Entry;
import dev.weir.shared.fleet.FleetTable.Page;
import dev.weir.shared.fleet.FleetTableFull;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The actions that operators have taken on any server of the fleet, in force on this one. Safe for
 * use by any number of threads.
 *
 * <p><b>How.</b> Actions are entries of a table that the servers share. Every half a second each
 * server asks for the version of the table, reads it if it has changed, and has its rules compiled
 * with the actions, on a thread of its own. The remaining time of an action is by the clock of the
 * store; from then on the monotonic clock of this process ends it, whether or not the store
 * answers.
 *
 * <p><b>Guarantees.</b> An action is in force on every server that reaches the store within 2
 * seconds, survives the server that took it, and ends on time without the store. If the store loses
 * its data, servers that know an action put it back.
 */
public final class Actions implements AutoCloseable {
  /** The time between two looks at the table. */
  static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  /** After so long the table is read even if it has not changed, so that clocks do not drift. */
  static final Duration FULL_READ_INTERVAL = Duration.ofMinutes(1);

  private static final Logger LOG = System.getLogger(Actions.class.getName());

  /** A version that no table has. */
  private static final String UNKNOWN = "unknown";

  private final FleetTable table;
  private final ActiveRules rules;
  private final Scheduler scheduler;
  private final ActionThread thread;
  private final ActionLog log = new ActionLog();
  private final CompletableFuture<Void> firstRead = new CompletableFuture<>();

  // Used by the thread of the scheduler only.
  private final ActionBook book = new ActionBook(log);
  private List<Adjustment> applied = List.of();
  private long fullReadNanos;
  private OptionalLong nextEnd = OptionalLong.empty();
  private boolean puttingBack;

  private volatile String version = UNKNOWN;
  private volatile List<ActiveAction> active = List.of();

  Actions(FleetTable table, ActiveRules rules, Scheduler scheduler) {
    this.table = table;
    this.rules = rules;
    this.scheduler = scheduler;
    this.thread = new ActionThread(scheduler);
  }

  /** Begins to follow the table, on a thread of its own. */
  public static Actions start(FleetTable table, ActiveRules rules) {
    Actions actions = new Actions(table, rules, Scheduler.system(Continuations.DIRECT));
    actions.start();
    return actions;
  }

  void start() {
    fullReadNanos = scheduler.nanos();
    scheduler.schedule(0, this::poll);
  }

  /** Completes once the table was read, or could not be read, for the first time. */
  public CompletionStage<Void> firstRead() {
    return firstRead.copy();
  }

  private void poll() {
    long begin = scheduler.nanos();
    boolean full = begin - fullReadNanos >= FULL_READ_INTERVAL.toNanos();
    var unused =
        call(() -> table.read(full ? UNKNOWN : version))
            .whenComplete((done, failure) -> onPolled(failure, begin));
  }

  private void onPolled(@Nullable Throwable failure, long begin) {
    if (failure == null) {
      log.onSuccess();
    } else {
      log.onFailure(String.valueOf(StoreFailure.cause(failure).getMessage()));
    }
    firstRead.complete(null);
    scheduler.schedule(begin + POLL_INTERVAL.toNanos() - scheduler.nanos(), this::poll);
  }

  /** Makes a call of the table, and merges what it returns. */
  private CompletableFuture<Page> call(Supplier<CompletionStage<Page>> call) {
    long begin = scheduler.nanos();
    return thread.after(call, page -> merge(page, begin));
  }

  /** Learns what the table has, puts back what it lacks, and applies the result. */
  private Page merge(Page page, long begin) {
    version = page.version();
    if (page.entries().isPresent()) {
      long now = scheduler.nanos();
      fullReadNanos = now;
      List<Entry> missing = book.merge(page.entries().get(), begin, now);
      if (!missing.isEmpty()) {
        putBack(missing);
      }
      apply();
    }
    return page;
  }

  private void putBack(List<Entry> missing) {
    if (puttingBack) {
      version = UNKNOWN; // looks again at what is missing
      return;
    }
    puttingBack = true;
    var unused =
        call(() -> table.put(missing))
            .whenComplete(
                (page, failure) -> {
                  puttingBack = false;
                  if (failure == null) {
                    log.putBack(missing.size());
                  } else {
                    version = UNKNOWN;
                  }
                });
  }

  /** Ends what is over, and has the rules compiled with the rest if that has changed. */
  private void apply() {
    OptionalLong next = book.dropEnded(scheduler.nanos());
    List<ActiveAction> wanted = book.wanted();
    List<Adjustment> adjustments = wanted.stream().map(one -> one.action().adjustment()).toList();
    if (!adjustments.equals(applied)) {
      try {
        rules.adjust(adjustments);
      } catch (RuntimeException e) {
        Failures.log(LOG, "Cannot apply actions to the rules", e); // those before stay in force
      }
      applied = adjustments;
    }
    active = wanted;
    next.ifPresent(this::applyAt);
  }

  /** One timer waits for the next end; one that waits for a later end does nothing. */
  private void applyAt(long nanos) {
    if (nextEnd.isEmpty() || nanos - nextEnd.getAsLong() < 0) {
      nextEnd = OptionalLong.of(nanos);
      scheduler.schedule(nanos - scheduler.nanos(), () -> onEnd(nanos));
    }
  }

  private void onEnd(long nanos) {
    if (nextEnd.equals(OptionalLong.of(nanos))) {
      nextEnd = OptionalLong.empty();
      apply();
    }
  }

  /**
   * Why an adjustment cannot be taken: the rules, without other adjustments, have no rule of that
   * name, or none to which the factor can be applied. Completes on the thread of the actions.
   */
  public CompletionStage<Optional<String>> objection(Adjustment adjustment) {
    return thread.compute(
        () -> {
          RuleSet live = rules.current().unadjusted().rules();
          return Optional.ofNullable(
              AdjustedRules.of(live.book(), live.domains(), List.of(adjustment))
                  .idle()
                  .get(adjustment.id()));
        });
  }

  /**
   * Takes an action: once the stage completes, it is in the table, and in force on this server.
   *
   * @param lasting between a millisecond and {@link FleetTable#MAX_LASTING}
   * @return empty if there are too many; fails with a {@link StoreFailure} if the store does not
   *     answer
   */
  public CompletionStage<Optional<Action>> take(Action action, Duration lasting) {
    List<Entry> entry = List.of(ActionBook.entry(action, lasting));
    CompletableFuture<Page> put =
        call(() -> table.put(entry))
            .exceptionallyCompose(
                failure ->
                    StoreFailure.cause(failure) instanceof FleetTableFull full
                        ? makeRoom(full).thenCompose(room -> call(() -> table.put(entry)))
                        : CompletableFuture.failedStage(failure));
    return put.thenApply(page -> Optional.of(action))
        .exceptionallyCompose(
            failure ->
                StoreFailure.cause(failure) instanceof FleetTableFull
                    ? CompletableFuture.completedStage(Optional.empty())
                    : CompletableFuture.failedStage(failure));
  }

  /** Removes undone actions from a full table, where they only keep others from coming back. */
  private CompletionStage<Page> makeRoom(FleetTableFull full) {
    return call(() -> table.read(UNKNOWN))
        .thenCompose(page -> thread.compute(book::undone))
        .thenCompose(
            undone ->
                undone.isEmpty()
                    ? CompletableFuture.failedStage(full)
                    : call(() -> table.remove(undone)));
  }

  /**
   * Undoes an action on all servers; it may have been taken on another one a moment ago.
   *
   * @return the action as it is undone; empty if none of this id is in force. Fails with a {@link
   *     StoreFailure} if the store does not answer
   */
  public CompletionStage<Optional<Action>> undo(String id, Stamp by) {
    return call(() -> table.read(UNKNOWN))
        .thenCompose(
            page -> thread.compute(() -> Optional.ofNullable(book.undo(id, by, scheduler.nanos()))))
        .thenCompose(
            entry ->
                entry.isEmpty()
                    ? CompletableFuture.completedStage(Optional.empty())
                    : call(() -> table.put(List.of(entry.get())))
                        .thenApply(done -> ActionCodec.decode(id, entry.get().value())));
  }

  /** The actions in force on this server, the newest first. */
  public List<ListedAction> list() {
    List<ListedAction> all =
        active.stream().map(this::listed).collect(Collectors.toCollection(ArrayList::new));
    Collections.reverse(all);
    return all;
  }

  /** The action of this id, if it is in force on this server. */
  public Optional<ListedAction> find(String id) {
    return active.stream()
        .filter(one -> one.action().id().equals(id))
        .map(this::listed)
        .findFirst();
  }

  private ListedAction listed(ActiveAction one) {
    long left = Math.max(0, one.untilNanos() - scheduler.nanos());
    String idle = rules.current().adjustments().idle().get(one.action().id());
    return new ListedAction(one.action(), Duration.ofNanos(left), Optional.ofNullable(idle));
  }

  /** How many actions of a kind are in force. */
  public long count(Kind kind) {
    return active.stream().filter(one -> one.action().adjustment().kind() == kind).count();
  }

  /**
   * Has a listener called when an action begins, is undone or ends on this server, with what the
   * log says. It is called on the thread of the actions.
   */
  public void onChange(Consumer<String> listener) {
    log.onChange(listener);
  }

  /** Stops following the table, and closes the scheduler; the rules stay as they are. */
  @Override
  public void close() {
    if (scheduler instanceof SystemScheduler own) {
      own.close();
    }
  }
}
