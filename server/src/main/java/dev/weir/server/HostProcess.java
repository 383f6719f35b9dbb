package dev.weir.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** What the process around a server tells it, and hears of it. */
public interface HostProcess {
  /** One that goes on whatever happens, and only logs it. */
  HostProcess ENDLESS =
      new HostProcess() {
        @Override
        public boolean isStopping() {
          return false;
        }

        @Override
        public void onFatal(String why) {
          Logger log = System.getLogger(WeirServer.class.getName());
          log.log(Level.ERROR, "This server cannot go on: " + why);
        }
      };

  /** Whether it is to end: a server that starts warms up no longer, and does not become ready. */
  boolean isStopping();

  /**
   * Why it has to end: an event loop has ended, or memory has. Called on any thread, at any time.
   */
  void onFatal(String why);
}
