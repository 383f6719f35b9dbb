package dev.weir.library;

/** A request was denied where the caller asked for an exception. */
public final class LimitExceededException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Denial denial;

  LimitExceededException(Denial denial) {
    super("denied by " + denial.name() + ": " + denial.reason(), null, false, false);
    this.denial = denial;
  }

  /** Why. */
  public Denial denial() {
    return denial;
  }
}
