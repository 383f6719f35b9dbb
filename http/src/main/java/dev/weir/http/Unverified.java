package dev.weir.http;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import org.jspecify.annotations.Nullable;

/** The verdicts on tokens that nobody verified. */
final class Unverified {
  /** The longest token that is looked at. */
  private static final int MAX_CHARS = 8192;

  private final Verdict missing;
  private final Verdict spoiled;
  private final Verdict oversized;
  private final Verdict doubtful;
  private final Verdict malformed;
  private final Verdict unsigned;
  private final Verdict encrypted;
  private final Verdict withoutKeys;
  private final Verdict overBudget;
  private final Verdict queueFull;

  /**
   * @param claims how many are asked for
   */
  Unverified(int claims) {
    this.missing = Verdict.absent(Event.JWT_MISSING, claims);
    this.spoiled = Verdict.unverified(Event.JWT_UNUSABLE, claims);
    this.oversized = Verdict.unverified(Event.JWT_OVERSIZED, claims);
    this.doubtful = Verdict.unverified(Event.JWT_MALFORMED, claims);
    this.malformed = Verdict.absent(Event.JWT_MALFORMED, claims);
    this.unsigned = Verdict.absent(Event.JWT_UNSIGNED, claims);
    this.encrypted = Verdict.absent(Event.JWT_ENCRYPTED, claims);
    this.withoutKeys = Verdict.absent(Event.JWT_NO_KEYS, claims);
    this.overBudget = Verdict.unverified(Event.JWT_OVER_BUDGET, claims);
    this.queueFull = Verdict.unverified(Event.JWT_QUEUE_FULL, claims);
  }

  /** The verdict on what is not there, spoiled or too long; null if it is none of that. */
  @Nullable Verdict atFirstSight(@Nullable String token) {
    if (token == null || token.isEmpty()) {
      return missing;
    }
    if (Descriptor.isUnusable(token)) {
      return spoiled;
    }
    return token.length() > MAX_CHARS ? oversized : null;
  }

  /** The verdict on a token that no key can help; null if it is worth verifying. */
  @Nullable Verdict byText(String token) {
    return switch (TokenText.of(token)) {
      case SIGNED -> null;
      case UNSIGNED -> unsigned;
      case ENCRYPTED -> encrypted;
      case DOUBTFUL -> doubtful;
      case OTHER -> malformed;
    };
  }

  Verdict withoutKeys() {
    return withoutKeys;
  }

  Verdict overBudget() {
    return overBudget;
  }

  Verdict queueFull() {
    return queueFull;
  }
}
