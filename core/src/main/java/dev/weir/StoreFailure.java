package dev.weir;

import org.jspecify.annotations.Nullable;

/** A store did not answer: there is no decision. A denial is a decision, and is never this. */
public final class StoreFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Whether what was asked may have been done all the same. */
  public enum Effect {
    /** Nothing was done: it never got there, or was refused there. */
    NONE,
    /** It was on its way, and nobody can say. Asking again might charge twice. */
    UNKNOWN
  }

  private final Effect effect;

  /** A failure without a stack trace, because there may be very many of them. */
  public StoreFailure(Effect effect, String message, @Nullable Throwable cause) {
    super(message, cause, false, false);
    this.effect = effect;
  }

  public Effect effect() {
    return effect;
  }
}
