package dev.weir.redis.connection;

import org.jspecify.annotations.Nullable;

/**
 * The user and password for a connection to Redis. Immutable and thread-safe.
 *
 * @param user the ACL user; null for the default user
 * @param password the password of the user, or a token that stands for one
 */
public record RedisCredentials(@Nullable String user, String password) {
  /**
   * Validates the password.
   *
   * @throws IllegalArgumentException if there is none
   */
  public RedisCredentials {
    if (password == null || password.isEmpty()) {
      throw new IllegalArgumentException("password: none (expected: at least one character)");
    }
  }

  /** Credentials of the default user. */
  public static RedisCredentials password(String password) {
    return new RedisCredentials(null, password);
  }

  /** The user, without the password. */
  @Override
  public String toString() {
    return (user == null ? "default" : user) + ":***";
  }
}
