package dev.weir.server.access;

/** Somebody may not do what was asked for; nothing was done. */
public final class AccessRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean tokenHelps;

  AccessRefused(boolean tokenHelps, String message) {
    super(message, null, false, false);
    this.tokenHelps = tokenHelps;
  }

  /** Whether there is a token that would have helped. */
  public boolean doesTokenHelp() {
    return tokenHelps;
  }
}
