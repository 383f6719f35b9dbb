package dev.weir.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** The process around a server: asks it to stop, and is notified of fatal errors. */
public interface HostProcess {
  /** A process that never stops, and only logs fatal errors. */
  HostProcess NEVER_STOPPING =
      new HostProcess() {
        @Override
        public boolean isStopping() {
          return false;
        }

        @Override
        public void onFatal(String reason) {
          Logger log = System.getLogger(WeirServer.class.getName());
          log.log(Level.ERROR, "Fatal error: " + reason);
        }
      };

  /**
   * Whether the process stops: a server that is starting then ends its warm-up, and does not become
   * ready.
   */
  boolean isStopping();

  /**
   * The server cannot go on: an event loop has ended, or memory is exhausted. Called on any thread,
   * at any time.
   */
  void onFatal(String reason);
}
