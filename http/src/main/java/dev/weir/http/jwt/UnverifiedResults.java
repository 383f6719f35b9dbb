package dev.weir.http.jwt;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import org.jspecify.annotations.Nullable;

/** The results for tokens that are not verified, made once. Immutable. */
final class UnverifiedResults {
  /** The length of the longest token that is parsed. */
  private static final int MAX_CHARS = 8192;

  private final VerifiedToken missing;
  private final VerifiedToken unusable;
  private final VerifiedToken oversized;
  private final VerifiedToken ambiguous;
  private final VerifiedToken malformed;
  private final VerifiedToken unsigned;
  private final VerifiedToken encrypted;
  private final VerifiedToken withoutKeys;
  private final VerifiedToken overBudget;
  private final VerifiedToken queueFull;

  /** Makes the results for a number of claims. */
  UnverifiedResults(int claims) {
    this.missing = VerifiedToken.absent(Event.JWT_MISSING, claims);
    this.unusable = VerifiedToken.unusable(Event.JWT_UNUSABLE, claims);
    this.oversized = VerifiedToken.unusable(Event.JWT_OVERSIZED, claims);
    this.ambiguous = VerifiedToken.unusable(Event.JWT_MALFORMED, claims);
    this.malformed = VerifiedToken.absent(Event.JWT_MALFORMED, claims);
    this.unsigned = VerifiedToken.absent(Event.JWT_UNSIGNED, claims);
    this.encrypted = VerifiedToken.absent(Event.JWT_ENCRYPTED, claims);
    this.withoutKeys = VerifiedToken.absent(Event.JWT_NO_KEYS, claims);
    this.overBudget = VerifiedToken.unusable(Event.JWT_OVER_BUDGET, claims);
    this.queueFull = VerifiedToken.unusable(Event.JWT_QUEUE_FULL, claims);
  }

  /** The result for a token that is missing, unusable or too long; null for any other. */
  @Nullable VerifiedToken byPresence(@Nullable String token) {
    if (token == null || token.isEmpty()) {
      return missing;
    }
    if (Descriptor.isUnusable(token)) {
      return unusable;
    }
    return token.length() > MAX_CHARS ? oversized : null;
  }

  /** The result for a token that no key can verify; null if it has the form of a signed one. */
  @Nullable VerifiedToken byText(String token) {
    return switch (TokenText.of(token)) {
      case SIGNED -> null;
      case UNSIGNED -> unsigned;
      case ENCRYPTED -> encrypted;
      case AMBIGUOUS -> ambiguous;
      case OTHER -> malformed;
    };
  }

  VerifiedToken withoutKeys() {
    return withoutKeys;
  }

  VerifiedToken overBudget() {
    return overBudget;
  }

  VerifiedToken queueFull() {
    return queueFull;
  }
}
