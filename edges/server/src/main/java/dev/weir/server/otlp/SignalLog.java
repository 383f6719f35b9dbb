package dev.weir.server.otlp;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Logs when a collector stops to take metrics or spans, and when it takes them again; not each
 * failure in between. Used by one thread.
 */
final class SignalLog {
  private static final Logger LOG = System.getLogger(SignalLog.class.getName());

  private final String signal;
  private boolean failing;
  private boolean rejecting;

  SignalLog(String signal) {
    this.signal = signal;
  }

  void record(Sent sent) {
    boolean arrived = sent.result() == Sent.Result.ARRIVED;
    if (!arrived && !failing) {
      LOG.log(Level.WARNING, "The collector takes no " + signal + ": " + sent.detail());
    } else if (arrived && failing) {
      LOG.log(Level.INFO, "The collector takes " + signal + " again");
    }
    failing = !arrived;
    boolean rejects = sent.rejected() > 0;
    if (rejects && !rejecting) {
      LOG.log(Level.WARNING, "The collector rejects some " + signal + ": " + sent.detail());
    }
    rejecting = rejects && arrived;
  }
}
