package dev.weir.server;

import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.ActiveRules;
import dev.weir.server.action.Actions;
import dev.weir.server.metrics.ServerStatus;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.store.FailureModeCounts;
import dev.weir.server.store.StoreConfig;
import dev.weir.server.store.StoreMonitor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The store of a server, in this process, or shared and then monitored; and what it shares. */
final class ServerStore {
  private static final Duration ACTIONS_TIMEOUT = Duration.ofSeconds(1);

  final StoreConfig config;
  final DegradedCounters degraded = new DegradedCounters();

  /** Empty if the store is in this process. */
  final Optional<StoreMonitor> monitor;

  /** What operators do to rules and callers for a while, shared through the store. */
  final Actions actions;

  /** Opens the store; a shared one is started. */
  ServerStore(StoreConfig config, ActiveRules rules) {
    this.config = config;
    this.monitor =
        config.isShared()
            ? Optional.of(new StoreMonitor(config, degraded, FailureModeCounts.of(rules::current)))
            : Optional.empty();
    this.actions = Actions.start(config.tables().table("actions"), rules);
  }

  /** Waits for the actions in force, for a moment: the store may not answer. */
  void awaitActions() {
    var unused =
        actions
            .firstRead()
            .toCompletableFuture()
            .completeOnTimeout(null, ACTIONS_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }

  Limiter limiter(Limiter.Listener listener) {
    return monitor
        .map(one -> Limiter.on(one.store(), listener))
        .orElseGet(() -> new Limiter(config.store(), listener));
  }

  /** How many servers share the counters, this one included. */
  int servers() {
    return monitor.map(StoreMonitor::servers).orElse(1);
  }

  /** Whether this server holds a lease of a counter. */
  boolean isLeased(LimitKey key) {
    return monitor.map(one -> one.store().isLeased(key)).orElse(false);
  }

  /** The store to warm up with, whose results are neither counted nor reported. */
  Store warmUpStore() {
    return monitor.map(StoreMonitor::warmUpStore).orElseGet(MemoryStore::new);
  }

  ServerStatus status(ActiveRules rules) {
    return new ServerStatus(
        () -> rules.current().rules().domains(),
        () -> (rules.isLoaded() ? 1 : 0) + rules.status().reloads(),
        () -> rules.status().refusals(),
        () -> monitor.map(StoreMonitor::unanswered).orElse(0L),
        monitor.map(one -> one::isAnswering));
  }

  void close() {
    actions.close();
    monitor.ifPresent(StoreMonitor::close);
  }
}
