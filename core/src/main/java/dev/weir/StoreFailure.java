package dev.weir;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store did not answer, so there is no decision. A denial is a decision and never a failure.
 *
 * <p>A failure has no stack trace, because an outage makes very many of them.
 */
public final class StoreFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Whether the store may have executed the operation all the same. */
  public enum Effect {
    /** The store did nothing: the operation never arrived, or the store refused it. */
    NONE,
    /** The operation was sent, and its effect is unknown. A retry might charge twice. */
    UNKNOWN
  }

  private final Effect effect;
  private final @Nullable String shard;
  private final transient @Nullable Supplier<Answer> late;

  /** A failure of the store as a whole. */
  public StoreFailure(Effect effect, String message, @Nullable Throwable cause) {
    this(effect, null, message, cause);
  }

  /**
   * A failure of one shard of the store.
   *
   * @param shard the shard that failed; null if the store has no shards that fail separately
   */
  public StoreFailure(
      Effect effect, @Nullable String shard, String message, @Nullable Throwable cause) {
    this(effect, shard, message, cause, null);
  }

  private StoreFailure(
      Effect effect,
      @Nullable String shard,
      String message,
      @Nullable Throwable cause,
      @Nullable Supplier<Answer> late) {
    super(message, cause, false, false);
    this.effect = effect;
    this.shard = shard;
    this.late = late;
  }

  /**
   * The failure of a request that was sent and whose deadline has passed; its effect is unknown.
   *
   * @param late supplies the store's answer, should it still arrive
   */
  public static StoreFailure deadlineExceeded(String message, Supplier<Answer> late) {
    return new StoreFailure(Effect.UNKNOWN, null, message, null, late);
  }

  /**
   * The store's answer, should it still arrive after the deadline. A caller that could otherwise
   * only report the failure may wait for it; it completes, one way or the other, once the store
   * gives the request up. Call this at once: the store may refund a late grant that has no waiting
   * caller.
   */
  public Optional<Answer> late() {
    return Optional.ofNullable(late).map(Supplier::get);
  }

  /** This failure without a {@linkplain #late() late answer}. */
  public StoreFailure withoutLate() {
    return late == null
        ? this
        : new StoreFailure(effect, shard, String.valueOf(getMessage()), this, null);
  }

  /** The shard that failed; empty if the failure concerns the store as a whole. */
  public Optional<String> shard() {
    return Optional.ofNullable(shard);
  }

  /** Whether the store may have executed the operation. */
  public Effect effect() {
    return effect;
  }

  /** The effect of a failed operation: {@link Effect#UNKNOWN} unless the failure states it. */
  public static Effect effect(Throwable failure) {
    return cause(failure) instanceof StoreFailure known ? known.effect : Effect.UNKNOWN;
  }

  /** The failure itself, without the {@link CompletionException} that stages wrap around it. */
  public static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
