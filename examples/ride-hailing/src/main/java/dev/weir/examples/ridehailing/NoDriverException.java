package dev.weir.examples.ridehailing;

/** No driver is near the pickup. */
public final class NoDriverException extends RuntimeException {
  NoDriverException(Location pickup) {
    super("no driver near " + pickup);
  }
}
