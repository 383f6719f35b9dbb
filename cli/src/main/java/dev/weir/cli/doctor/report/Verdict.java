package dev.weir.cli.doctor.report;

/** What a check proved. */
public enum Verdict {
  /** It works. */
  OK("ok"),
  /** It does not work. */
  FAULT("fault"),
  /** Nothing was proved; the evidence says why. */
  UNPROVEN("not proven"),
  /** It is configured so that it denies nobody. */
  NOT_ENFORCING("not enforcing");

  private final String label;

  Verdict(String label) {
    this.label = label;
  }

  /** The verdict in words. */
  @Override
  public String toString() {
    return label;
  }
}
