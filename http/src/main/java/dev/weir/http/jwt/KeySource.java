package dev.weir.http.jwt;

import dev.weir.http.HttpMeters;
import java.security.Key;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** Supplies the current keys without blocking. Implementations are thread-safe. */
interface KeySource extends AutoCloseable {
  /** The current keys; null until the first ones are loaded. */
  @Nullable KeySet current();

  /** Reports that a key was missing; the source may reload its keys in the background. */
  default void refresh() {}

  /**
   * Waits until the first attempt to load keys has ended, but no longer than the timeout.
   *
   * @return whether there are keys
   */
  default boolean await(Duration timeout) {
    return current() != null;
  }

  @Override
  default void close() {}

  /**
   * Opens the source that the settings name.
   *
   * @param executor fetches keys from a URL; null for a thread owned by the source
   */
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
