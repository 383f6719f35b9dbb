package dev.weir.operation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import java.util.List;

/** A store to which all operations are the same, such as one that asks another elsewhere. */
public abstract class UniformStore implements Store {
  protected abstract Answer ask(Operation operation, List<Claim> claims);

  @Override
  public Answer take(List<Claim> claims) {
    return ask(Operation.TAKE, claims);
  }

  @Override
  public Answer look(List<Claim> claims) {
    return ask(Operation.LOOK, claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    return ask(Operation.REFUND, claims);
  }

  @Override
  public Answer charge(List<Claim> claims) {
    return ask(Operation.CHARGE, claims);
  }

  @Override
  public Answer forget(List<Claim> claims) {
    return ask(Operation.FORGET, claims);
  }
}
