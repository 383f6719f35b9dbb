package dev.weir.cli;

/** What the exit codes mean; part of the interface, so they never change. */
final class Exit {
  static final int OK = 0;

  /** The rules make no sense, or with {@code --strict} are doubtful. */
  static final int REFUSED = 1;

  /** The request that a server was asked about may not pass. */
  static final int DENIED = 1;

  /** Wrong usage, a file that cannot be read, or a server that cannot be reached. */
  static final int USAGE = 2;

  /** A bug; or, from the script that starts us, nothing to start. */
  static final int UNEXPECTED = 3;

  /** A service that cannot go on: out of memory, say. The number is that of sysexits.h for it. */
  static final int FATAL = 70;

  private Exit() {}
}
