package dev.weir.redis;

/** The key secret of a server is not that of the others on the same Redis. */
public final class KeySecretConflict extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean given;

  KeySecretConflict(boolean given, String message) {
    super(message);
    this.given = given;
  }

  /** Whether this server was given a secret, and the others have another one. */
  public boolean isGiven() {
    return given;
  }
}
