package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** A store of which it is noted how often nobody knows whether it has counted somebody. */
record Doubts(Store store, LimitKey whom, LongAdder count) implements Store {

  @Override
  public Answer take(List<Claim> claims) {
    return Answer.later(
        store
            .take(claims)
            .stage()
            .whenComplete(
                (decision, failure) -> {
                  boolean unknown =
                      failure != null && StoreFailure.effect(failure) == Effect.UNKNOWN;
                  if (unknown && claims.stream().anyMatch(claim -> claim.key().equals(whom))) {
                    count.increment();
                  }
                }));
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
