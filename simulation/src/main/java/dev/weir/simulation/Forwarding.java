package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import java.util.List;

/** A store that asks another one, for those who want to step in between. */
class Forwarding implements Store {
  private final Store store;

  Forwarding(Store store) {
    this.store = store;
  }

  @Override
  public Answer take(List<Claim> claims) {
    return store.take(claims);
  }

  @Override
  public Answer look(List<Claim> claims) {
    return store.look(claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    return store.refund(claims);
  }

  @Override
  public Answer charge(List<Claim> claims) {
    return store.charge(claims);
  }

  @Override
  public Answer forget(List<Claim> claims) {
    return store.forget(claims);
  }
}
