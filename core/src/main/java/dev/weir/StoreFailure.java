package dev.weir;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
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
  private final @Nullable String place;
  private final transient @Nullable Supplier<Answer> late;

  /** A failure without a stack trace, because there may be very many of them. */
  public StoreFailure(Effect effect, String message, @Nullable Throwable cause) {
    this(effect, null, message, cause);
  }

  /**
   * @param place which part of the store it was, where it has several that fail each by itself
   */
  public StoreFailure(
      Effect effect, @Nullable String place, String message, @Nullable Throwable cause) {
    this(effect, place, message, cause, null);
  }

  private StoreFailure(
      Effect effect,
      @Nullable String place,
      String message,
      @Nullable Throwable cause,
      @Nullable Supplier<Answer> late) {
    super(message, cause, false, false);
    this.effect = effect;
    this.place = place;
    this.late = late;
  }

  /**
   * The deadline of a request has passed that was sent, so that nobody knows its effect.
   *
   * @param late gives the answer of the store, should it still come
   */
  public static StoreFailure deadlineExceeded(String message, Supplier<Answer> late) {
    return new StoreFailure(Effect.UNKNOWN, null, message, null, late);
  }

  /**
   * The answer of the store, should it still come after the deadline. Whoever has nothing better to
   * say than that the store failed may wait for it; it ends, one way or the other, once the store
   * is given up. Call it at once: what is granted late to somebody who does not wait may be given
   * back.
   */
  public Optional<Answer> late() {
    return Optional.ofNullable(late).map(Supplier::get);
  }

  /** The same failure, whose late answer is not waited for. */
  public StoreFailure withoutLate() {
    return late == null
        ? this
        : new StoreFailure(effect, place, String.valueOf(getMessage()), this, null);
  }

  public Optional<String> place() {
    return Optional.ofNullable(place);
  }

  public Effect effect() {
    return effect;
  }

  /** What a failure means for what was asked: whatever is not known may have been done. */
  public static Effect effect(Throwable failure) {
    return cause(failure) instanceof StoreFailure known ? known.effect : Effect.UNKNOWN;
  }

  /** The failure itself, without what stages wrap around it. */
  public static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
