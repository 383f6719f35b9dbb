package dev.weir.server.callers;

import java.util.Locale;
import java.util.Optional;

/** How far back callers are counted. */
public enum Window {
  /** The last 30 to 60 seconds. */
  MINUTE,
  /** The last 30 to 60 minutes. */
  HOUR;

  /** The name in the API. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The window with this {@link #label}. */
  public static Optional<Window> of(String label) {
    for (Window window : values()) {
      if (window.label().equals(label)) {
        return Optional.of(window);
      }
    }
    return Optional.empty();
  }
}
