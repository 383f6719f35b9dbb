package dev.weir.spring;

/**
 * Weir is configured in a way in which it would not limit what it should, so the application does
 * not start.
 */
public final class WeirStartupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String remedy;

  /**
   * A reason not to start.
   *
   * @param problem names the property or the class, its value and what was expected
   * @param remedy what to do about it
   */
  public WeirStartupException(String problem, String remedy) {
    super(problem);
    this.remedy = remedy;
  }

  /** A reason not to start, with its cause. */
  public WeirStartupException(String problem, String remedy, Throwable cause) {
    super(problem, cause);
    this.remedy = remedy;
  }

  /** What to do about it. */
  public String remedy() {
    return remedy;
  }
}
