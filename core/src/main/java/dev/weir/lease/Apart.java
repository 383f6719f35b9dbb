package dev.weir.lease;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.CallerFuture;
import dev.weir.operation.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a store about what is the store's, and then this server about what it counts by itself:
 * where the store fails, nothing is done, and who tries again does nothing twice.
 */
final class Apart {
  private final Store store;
  private final MemoryStore local;

  Apart(Store store, MemoryStore local) {
    this.store = store;
    this.local = local;
  }

  Answer ask(Operation operation, List<Claim> claims) {
    List<Claim> here = claims.stream().filter(claim -> claim.mode().isLocal()).toList();
    if (here.isEmpty()) {
      return operation.on(store, claims);
    }
    if (here.size() == claims.size()) {
      return operation.on(local, claims);
    }
    List<Claim> there = claims.stream().filter(claim -> !claim.mode().isLocal()).toList();
    Answer theirs = operation.on(store, there);
    return theirs instanceof Decision decision
        ? merged(claims, operation.on(local, here).join(), decision)
        : CallerFuture.relay(
            theirs, decision -> merged(claims, operation.on(local, here).join(), decision));
  }

  private static Decision merged(List<Claim> claims, Decision ours, Decision theirs) {
    List<Decision> each = new ArrayList<>(claims.size());
    int here = 0;
    int there = 0;
    for (Claim claim : claims) {
      each.add(claim.mode().isLocal() ? ours.each().get(here++) : theirs.each().get(there++));
    }
    return Decision.of(List.copyOf(each));
  }
}
