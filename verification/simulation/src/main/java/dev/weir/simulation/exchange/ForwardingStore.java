package dev.weir.simulation.exchange;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.Store;
import java.util.List;

/** A store that forwards to another one. Override one of the five verbs to intercept it. */
public class ForwardingStore implements Store {
  private final Store store;

  /** Forwards to {@code store}. */
  public ForwardingStore(Store store) {
    this.store = store;
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    return switch (operation) {
      case TAKE -> take(claims);
      case PEEK -> peek(claims);
      case REFUND -> refund(claims);
      case CHARGE -> charge(claims);
      case RESET -> reset(claims);
    };
  }

  @Override
  public Answer take(List<Claim> claims) {
    return store.apply(Operation.TAKE, claims);
  }

  @Override
  public Answer peek(List<Claim> claims) {
    return store.apply(Operation.PEEK, claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    return store.apply(Operation.REFUND, claims);
  }

  @Override
  public Answer charge(List<Claim> claims) {
    return store.apply(Operation.CHARGE, claims);
  }

  @Override
  public Answer reset(List<Claim> claims) {
    return store.apply(Operation.RESET, claims);
  }
}
