package dev.weir.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.identity.HttpSettings;
import dev.weir.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that reach a handler of Caddy, and so of Go, match the rule for its path. */
class CaddyPathsTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void requestsReachingAHandlerMatchItsRule() throws IOException {
    int port = Ports.free();
    Path conf = directory.resolve("Caddyfile");
    Files.writeString(
        conf,
        """
        {
          admin off
          auto_https off
        }
        http://:%d {
          bind 127.0.0.1
          handle /login {
            respond login
          }
          handle /admin {
            respond admin
          }
          handle /admin/* {
            respond admin
          }
          handle /café {
            respond cafe
          }
          handle {
            respond other
          }
        }
        """
            .formatted(port));
    try (GatewayProcess caddy =
        GatewayProcess.start(
            directory,
            port,
            "caddy",
            "run",
            "--adapter",
            "caddyfile",
            "--config",
            conf.toString())) {
      // Caddy ignores the case of paths, so the rules in front of it must do so, too.
      ReachedHandlers.assertReachedHandlersMatchTheirRules(
          port, HttpSettings.DEFAULT.withPathCaseSensitive(false));
      assertThat(caddy.isRunning()).isTrue();
    }
  }
}
