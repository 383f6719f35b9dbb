package dev.weir.http.request;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that reach a servlet on Tomcat match the rule for its path. */
class TomcatPathsTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void requestsReachingAServletMatchItsRule() throws Exception {
    assertRulesMatch(connector -> {});
  }

  @Test
  void requestsReachingAServletMatchItsRuleWithDecodedSlashesAndBackslashes() throws Exception {
    assertRulesMatch(
        connector -> {
          connector.setEncodedSolidusHandling(EncodedSolidusHandling.DECODE.getValue());
          connector.setProperty("allowBackslash", "true");
          connector.setProperty("relaxedPathChars", "\\\"<>[]^`{|}");
        });
  }

  @Test
  void requestsReachingAServletMatchItsRuleWithSlashesPassedThrough() throws Exception {
    assertRulesMatch(
        connector -> {
          connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
          connector.setProperty("relaxedPathChars", "\\\"<>[]^`{|}");
        });
  }

  private void assertRulesMatch(Consumer<Connector> settings) throws Exception {
    try (TomcatServer tomcat = new TomcatServer(directory, settings)) {
      ReachedHandlers.assertReachedHandlersMatchTheirRules(tomcat.port());
    }
  }
}
