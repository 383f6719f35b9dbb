package dev.weir.cli.doctor.probe;

/** No more requests may be sent, because their number or the time is used up. */
public final class BudgetSpent extends Exception {
  private static final long serialVersionUID = 1;

  BudgetSpent(String why) {
    super(why);
  }
}
