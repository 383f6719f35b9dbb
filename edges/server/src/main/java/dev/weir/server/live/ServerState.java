package dev.weir.server.live;

import dev.weir.rules.ActiveRules;
import dev.weir.server.store.StoreMonitor;
import java.util.List;
import java.util.Optional;

/**
 * What a server depends on, at one moment.
 *
 * @param storeAnswers true if the store is in this process
 * @param breaker the state of the circuit breaker of the store, in one word
 * @param servers how many servers share the store
 * @param rules the version of the active rules
 * @param refusals how many versions of the rules were refused
 * @param rulesProblems of the newest version of the rules, if it was refused
 * @param storeProblems what operators should know of the store
 */
record ServerState(
    boolean storeAnswers,
    String breaker,
    int servers,
    String rules,
    long refusals,
    List<String> rulesProblems,
    List<String> storeProblems) {

  static ServerState of(ActiveRules rules, Optional<StoreMonitor> store) {
    ActiveRules.Status status = rules.status();
    return new ServerState(
        store.map(StoreMonitor::isAnswering).orElse(true),
        store.map(StoreMonitor::breaker).orElse("closed"),
        store.map(StoreMonitor::servers).orElse(1),
        status.version(),
        status.refusals(),
        status.problems(),
        store.map(StoreMonitor::problems).orElse(List.of()));
  }
}
