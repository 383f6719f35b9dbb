package dev.weir.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/** The routes of docs/coming-from.md limit as printed, the gateway's own and those of Weir. */
class DocsTest {
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final String UPSTREAM = "http://localhost:8081";

  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer upstream;

  DocsTest() throws IOException {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void startUpstream() {
    upstream.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    upstream.start();
  }

  @AfterEach
  void stopUpstream() {
    upstream.stop(0);
  }

  private static List<String> routes() throws IOException {
    String page = Files.readString(Repository.path("docs/coming-from.md"));
    return YAML.matcher(page)
        .results()
        .map(found -> found.group(1))
        .filter(yaml -> yaml.contains("routes:"))
        .toList();
  }

  private ConfigurableApplicationContext start(String yaml) {
    YamlPropertiesFactoryBean reader = new YamlPropertiesFactoryBean();
    reader.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
    List<String> properties = new ArrayList<>(List.of("server.port=0"));
    String here = "http://localhost:" + upstream.getAddress().getPort();
    Objects.requireNonNull(reader.getObject())
        .forEach((key, value) -> properties.add(key + "=" + ("" + value).replace(UPSTREAM, here)));
    return new SpringApplicationBuilder(GatewayAppTest.Gateway.class)
        .properties(properties.toArray(String[]::new))
        .run();
  }

  @Test
  void bothRoutesLetTwoRequestsOfAUserPass() throws Exception {
    List<String> routes = routes();
    assertThat(routes).hasSize(2);
    for (String route : routes) {
      assertThat(route).contains("uri: " + UPSTREAM);
      try (ConfigurableApplicationContext app = start(route)) {
        assertThat(status(app, "ann")).isEqualTo(204);
        assertThat(status(app, "ann")).isEqualTo(204);
        assertThat(status(app, "bob")).as("another user").isEqualTo(204);
        if (route.startsWith("# Weir")) { // the other one refills within a second
          assertThat(status(app, "ann")).isEqualTo(429);
        }
      }
    }
  }

  private int status(ConfigurableApplicationContext app, String user) throws Exception {
    String port = app.getEnvironment().getRequiredProperty("local.server.port");
    URI uri = URI.create("http://localhost:" + port + "/orders/1");
    HttpRequest request = HttpRequest.newBuilder(uri).header("X-User", user).build();
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }
}
