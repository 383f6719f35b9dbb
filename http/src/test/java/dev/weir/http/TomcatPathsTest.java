package dev.weir.http;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What reaches a servlet on Tomcat has met the rule for its path. */
class TomcatPathsTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void whatReachesAServletMetItsRule() throws Exception {
    tryOut(connector -> {});
  }

  @Test
  void alsoWhereEscapedSlashesAreDecodedAndBackslashesAllowed() throws Exception {
    tryOut(
        connector -> {
          connector.setEncodedSolidusHandling(EncodedSolidusHandling.DECODE.getValue());
          connector.setProperty("allowBackslash", "true");
          connector.setProperty("relaxedPathChars", "\\\"<>[]^`{|}");
        });
  }

  @Test
  void alsoWhereEscapedSlashesArePassedOn() throws Exception {
    tryOut(
        connector -> {
          connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
          connector.setProperty("relaxedPathChars", "\\\"<>[]^`{|}");
        });
  }

  private void tryOut(Consumer<Connector> settings) throws Exception {
    try (TomcatServer tomcat = new TomcatServer(directory, settings)) {
      ReachedHandlers.assertAllMeetTheirRules(tomcat.port());
    }
  }
}
