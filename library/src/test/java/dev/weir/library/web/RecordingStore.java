package dev.weir.library.web;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The in-process store, with a list of what it was asked; its answers can be held back. */
final class RecordingStore implements Store {
  private final MemoryStore counters;
  private final ConcurrentLinkedQueue<Operation> asked = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Runnable> heldBack = new ConcurrentLinkedQueue<>();
  private volatile boolean slow;
  private volatile boolean failing;

  RecordingStore(MemoryStore counters) {
    this.counters = counters;
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    asked.add(operation);
    if (failing) {
      throw new IllegalStateException("a store that breaks its contract");
    }
    if (!slow || operation != Operation.TAKE) {
      return counters.apply(operation, claims);
    }
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    heldBack.add(() -> answer.complete(counters.apply(operation, claims)));
    return Answer.later(answer);
  }

  /** Holds takes back from now on: they reach the counters when they are let go. */
  void holdBack() {
    slow = true;
  }

  /** Throws from now on. */
  void fail(boolean fails) {
    failing = fails;
  }

  /** Executes what was held back. */
  void letGo() {
    slow = false;
    for (Runnable one = heldBack.poll(); one != null; one = heldBack.poll()) {
      one.run();
    }
  }

  long count(Operation operation) {
    return asked.stream().filter(one -> one == operation).count();
  }
}
