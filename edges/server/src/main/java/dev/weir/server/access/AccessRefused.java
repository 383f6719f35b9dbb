package dev.weir.server.access;

import java.util.OptionalLong;

/** Thrown when a client may not perform the requested operation; nothing was changed. */
public final class AccessRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean tokenHelps;

  /** How long the client has to wait before it may present a token again; 0 if it may now. */
  private final long waitSeconds;

  private AccessRefused(boolean tokenHelps, long waitSeconds, String message) {
    super(message, null, false, false);
    this.tokenHelps = tokenHelps;
    this.waitSeconds = waitSeconds;
  }

  AccessRefused(boolean tokenHelps, String message) {
    this(tokenHelps, 0, message);
  }

  /** A client whose tokens are not looked at for a while, because too many were wrong. */
  static AccessRefused forNow(long waitSeconds) {
    String expected = "another attempt after " + waitSeconds + " s";
    return new AccessRefused(
        false, waitSeconds, "token: too many wrong ones (expected: " + expected + ")");
  }

  /** Whether the operation would be allowed with a token: 401 rather than 403. */
  public boolean doesTokenHelp() {
    return tokenHelps;
  }

  /** How long the client has to wait before its tokens are looked at again: 429 then. */
  public OptionalLong waitSeconds() {
    return waitSeconds > 0 ? OptionalLong.of(waitSeconds) : OptionalLong.empty();
  }
}
