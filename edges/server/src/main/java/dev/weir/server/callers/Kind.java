package dev.weir.server.callers;

import dev.weir.limiter.Limiter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the heaviest callers of a rule are counted by. */
public enum Kind {
  /** Requests that the rule denied. */
  DENIED,
  /** Requests that the rule would have denied if it were enforced. */
  SHADOW_DENIED,
  /** Requests that passed and left less than a fifth of the limit. */
  NEAR_LIMIT,
  /** Requests that passed, those near the limit included. */
  ALLOWED;

  /** From so much of a limit on, a request that passes is near the limit. */
  static final int NEAR_PERCENT = 80;

  /** The name in the API, such as {@code near-limit}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind with this {@link #label}. */
  public static Optional<Kind> of(String label) {
    for (Kind kind : values()) {
      if (kind.label().equals(label)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /** The kind of an outcome; null if the rule had no part in it. */
  static @Nullable Kind of(Limiter.Outcome outcome) {
    return switch (outcome) {
      case ALLOWED, UNCOUNTED -> ALLOWED;
      case DENIED, BLOCKED, UNANSWERED -> DENIED;
      case SHADOW_DENIED -> SHADOW_DENIED;
      case DENIED_BY_OTHER -> null;
    };
  }
}
