package dev.weir.cli;

/** Something a user can understand and mend: told in one line, with an exit code. */
final class Failure extends Exception {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  Failure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
