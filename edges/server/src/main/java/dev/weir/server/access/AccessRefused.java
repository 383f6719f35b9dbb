package dev.weir.server.access;

/** Thrown when a client may not perform the requested operation; nothing was changed. */
public final class AccessRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean tokenHelps;

  AccessRefused(boolean tokenHelps, String message) {
    super(message, null, false, false);
    this.tokenHelps = tokenHelps;
  }

  /** Whether the operation would be allowed with a token: 401 rather than 403. */
  public boolean doesTokenHelp() {
    return tokenHelps;
  }
}
