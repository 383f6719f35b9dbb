package dev.weir.examples.ridehailing.webflux;

import dev.weir.testkit.examples.ReadmeSession;
import org.junit.jupiter.api.Test;

/** What examples/README.md shows of this example. */
class ReadmeIT {
  @Test
  void commandsPrintWhatTheReadmeShows() throws Exception {
    ReadmeSession.replay("Ride hailing", "ride-hailing-webflux");
  }
}
