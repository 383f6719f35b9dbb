package dev.weir.cli.command;

/** An error that a user can understand and fix, with a one-line message and an exit code. */
public final class Failure extends Exception {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  /**
   * Creates a failure.
   *
   * @param message one line, without the name of the program
   */
  public Failure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The exit code of the program. */
  public int exitCode() {
    return exitCode;
  }
}
