package dev.weir.cli.doctor.check;

/** The gateway or the application failed; unchecked, so that it ends the proof of a rule. */
final class GatewayFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  GatewayFailure(String why) {
    super(why);
  }
}
