package dev.weir.operation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import java.util.List;

/**
 * What may be done with claims: the operations of a {@link Store}, for those who treat them alike.
 */
public enum Operation {
  TAKE,
  LOOK,
  REFUND,
  CHARGE,
  FORGET;

  /** Does it. */
  public Answer on(Store store, List<Claim> claims) {
    return switch (this) {
      case TAKE -> store.take(claims);
      case LOOK -> store.look(claims);
      case REFUND -> store.refund(claims);
      case CHARGE -> store.charge(claims);
      case FORGET -> store.forget(claims);
    };
  }
}
