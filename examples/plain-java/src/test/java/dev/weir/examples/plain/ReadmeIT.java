package dev.weir.examples.plain;

import dev.weir.testkit.examples.ReadmeSession;
import org.junit.jupiter.api.Test;

/** What examples/README.md shows of this example. */
class ReadmeIT {
  @Test
  void commandsPrintWhatTheReadmeShows() throws Exception {
    ReadmeSession.replay("Plain Java", "plain-java");
  }
}
