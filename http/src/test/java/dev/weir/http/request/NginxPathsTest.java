package dev.weir.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.identity.HttpSettings;
import dev.weir.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that reach a location of NGINX, or a server behind it, match the rule for its path. */
class NginxPathsTest {
  private static final String LOCATIONS =
      """
      location = /login { return 200 login; }
      location = /admin { return 200 admin; }
      location /admin/ { return 200 admin; }
      location = /café { return 200 cafe; }
      location / { return 200 other; }
      """;

  @TempDir private Path directory = Path.of("");

  @Test
  void requestsReachingALocationMatchItsRule() throws IOException {
    assertRulesMatch(LOCATIONS);
  }

  @Test
  void requestsReachingALocationMatchItsRuleWithoutMergedSlashes() throws IOException {
    assertRulesMatch("merge_slashes off;\n" + LOCATIONS);
  }

  /** NGINX passes on the decoded and resolved path if proxy_pass has a path. */
  @Test
  void requestsReachingTomcatBehindNginxMatchItsRule() throws Exception {
    try (TomcatServer tomcat = new TomcatServer(directory, connector -> {})) {
      String proxied = "location / { proxy_pass http://127.0.0.1:%d/; }";
      assertRulesMatch(proxied.formatted(tomcat.port()));
    }
  }

  /** To the server behind, an escaped question mark then starts the query. */
  @Test
  void requestsReachingAServerThroughAUriVariableMatchItsRule() throws IOException {
    String behind = "server { listen 127.0.0.1:%d; %s }";
    int port = Ports.free();
    String proxied = "location / { proxy_pass http://127.0.0.1:%d$uri; }";
    assertRulesMatch(
        proxied.formatted(port),
        behind.formatted(port, LOCATIONS),
        // The server behind decodes a second time, and a line break ends the request: NGINX
        // should not be configured like this.
        target -> !target.contains("%25") && !target.contains("%0a"));
  }

  private void assertRulesMatch(String server) throws IOException {
    assertRulesMatch(server, "", target -> true);
  }

  private void assertRulesMatch(String server, String behind, Predicate<String> isSent)
      throws IOException {
    int port = Ports.free();
    Path conf = directory.resolve("nginx.conf");
    Files.writeString(
        conf,
        """
        daemon off;
        pid nginx.pid;
        error_log stderr crit;
        worker_processes 1;
        events {}
        http {
          access_log off;
          keepalive_requests 1000000;
          client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi; scgi_temp_path scgi;
          server {
            listen 127.0.0.1:%d;
            %s
          }
          %s
        }
        """
            .formatted(port, server, behind));
    try (GatewayProcess nginx =
        GatewayProcess.start(
            directory, port, "nginx", "-p", directory.toString(), "-c", conf.toString())) {
      ReachedHandlers.assertReachedHandlersMatchTheirRules(port, HttpSettings.DEFAULT, isSent);
      assertThat(nginx.isRunning()).isTrue();
    }
  }
}
