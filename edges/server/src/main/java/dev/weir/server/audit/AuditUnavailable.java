package dev.weir.server.audit;

/** Thrown when an event cannot be recorded, so that what it is about must not be done. */
public final class AuditUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  AuditUnavailable(String reason) {
    super("the audit log cannot be written, so nothing was done: " + reason, null, false, false);
  }
}
