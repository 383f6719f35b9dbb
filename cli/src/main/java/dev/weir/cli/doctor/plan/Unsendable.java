package dev.weir.cli.doctor.plan;

/** No request from outside can be made up for a rule, and why, in one line. */
public final class Unsendable extends Exception {
  private static final long serialVersionUID = 1;

  Unsendable(String why) {
    super(why);
  }
}
