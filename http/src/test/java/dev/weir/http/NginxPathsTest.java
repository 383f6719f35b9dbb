package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What reaches a location of NGINX, or a server behind it, has met the rule for its path. */
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
  void whatReachesALocationMetItsRule() throws IOException {
    tryOut(LOCATIONS);
  }

  @Test
  void alsoWhereSlashesAreNotMerged() throws IOException {
    tryOut("merge_slashes off;\n" + LOCATIONS);
  }

  /** It passes on what it decoded and resolved, where proxy_pass has a path. */
  @Test
  void alsoWhatReachesTomcatBehindIt() throws Exception {
    try (TomcatServer tomcat = new TomcatServer(directory, connector -> {})) {
      String proxied = "location / { proxy_pass http://127.0.0.1:%d/; }";
      tryOut(proxied.formatted(tomcat.port()));
    }
  }

  /** There an escaped question mark begins the query of whoever is behind. */
  @Test
  void alsoWhatReachesAServerByAVariable() throws IOException {
    String behind = "server { listen 127.0.0.1:%d; %s }";
    int port = Ports.free();
    String proxied = "location / { proxy_pass http://127.0.0.1:%d$uri; }";
    tryOut(
        proxied.formatted(port),
        behind.formatted(port, LOCATIONS),
        // What it decoded is decoded again, and a line break ends the request: nobody should pass
        // on paths like that.
        target -> !target.contains("%25") && !target.contains("%0a"));
  }

  private void tryOut(String server) throws IOException {
    tryOut(server, "", target -> true);
  }

  private void tryOut(String server, String behind, Predicate<String> tried) throws IOException {
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
      ReachedHandlers.assertAllMeetTheirRules(port, HttpSettings.DEFAULT, tried);
      assertThat(nginx.isRunning()).isTrue();
    }
  }
}
