package dev.weir.cli.command;

/** Exit codes of the program. They are part of its interface and never change. */
public final class ExitCode {
  /** Success. */
  public static final int OK = 0;

  /** The rules are invalid, or have warnings under {@code --strict}. */
  public static final int REFUSED = 1;

  /** The server denied the request. */
  public static final int DENIED = 1;

  /** The server does not decide requests by its rules. */
  public static final int UNDECIDED = 1;

  /** A check of a surge falls short. */
  public static final int SHORT = 1;

  /** The doctor found a fault. */
  public static final int FAULTY = 1;

  /** Wrong usage, an unreadable file, or an unreachable server. */
  public static final int USAGE = 2;

  /** A bug; or, from the start script, nothing to start. */
  public static final int UNEXPECTED = 3;

  /** A replay exceeds one of its gates. */
  public static final int GATE_EXCEEDED = 4;

  /** The doctor could prove nothing. */
  public static final int UNPROVEN = 5;

  /** A fatal error of the service, such as out of memory; {@code EX_SOFTWARE} in sysexits.h. */
  public static final int FATAL = 70;

  private ExitCode() {}
}
