package dev.weir.cli.doctor.probe;

/** No response to a probe, and why, in one line. */
public final class ProbeFailure extends Exception {
  private static final long serialVersionUID = 1;

  ProbeFailure(String why) {
    super(why);
  }
}
