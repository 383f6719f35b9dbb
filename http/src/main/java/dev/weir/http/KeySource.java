package dev.weir.http;

import java.security.Key;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** Where to have the current keys from, without waiting for them. */
interface KeySource extends AutoCloseable {
  /** The keys to use now; null as long as there are none. */
  @Nullable KeySet current();

  /** Says that a key was missing; the source may look for new ones, in its own time. */
  default void refresh() {}

  /**
   * Waits for the first keys, until they could not be had or the time is over; whether there are.
   */
  default boolean await(Duration most) {
    return current() != null;
  }

  @Override
  default void close() {}

  static KeySource of(
      JwtKeys keys,
      InstantSource clock,
      HttpMeters meters,
      @Nullable ScheduledExecutorService executor) {
    if (keys instanceof JwtKeys.Secret secret) {
      List<Key> only = List.of(secret.key());
      KeySet set = header -> only;
      return () -> set;
    }
    if (keys instanceof JwtKeys.File file) {
      return new FileKeys(file.path(), clock, meters);
    }
    return new UrlKeys(((JwtKeys.Url) keys).uri(), clock, meters, executor);
  }
}
