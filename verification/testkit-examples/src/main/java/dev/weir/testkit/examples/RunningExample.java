package dev.weir.testkit.examples;

import dev.weir.library.Weir;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** A Spring application on a random port, and a client for it. Thread-safe. */
final class RunningExample implements AutoCloseable {
  private final ConfigurableApplicationContext context;
  private final HttpClient client = HttpClient.newHttpClient();

  private RunningExample(ConfigurableApplicationContext context) {
    this.context = context;
  }

  static RunningExample start(Class<?> application, String... arguments) {
    return start(application, context -> {}, arguments);
  }

  static RunningExample start(
      Class<?> application,
      ApplicationContextInitializer<ConfigurableApplicationContext> beans,
      String... arguments) {
    String[] all =
        Stream.concat(Stream.of("--server.port=0"), Stream.of(arguments)).toArray(String[]::new);
    return new RunningExample(
        new SpringApplicationBuilder(application).initializers(beans).run(all));
  }

  ConfigurableApplicationContext context() {
    return context;
  }

  /** Whether the store answers; an application starts without it. */
  boolean countsInStore() {
    return context.getBean(Weir.class).store().answering();
  }

  HttpResponse<String> send(Endpoint endpoint, String rider)
      throws IOException, InterruptedException {
    return client.send(request(endpoint, rider), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendAsync(Endpoint endpoint, String rider) {
    return client.sendAsync(request(endpoint, rider), BodyHandlers.ofString());
  }

  private HttpRequest request(Endpoint endpoint, String rider) {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + endpoint.target()))
        .method(endpoint.method(), BodyPublishers.ofString(endpoint.body()))
        .timeout(Duration.ofMinutes(2))
        .header("Content-Type", "application/json")
        .header("X-User-Id", rider)
        .build();
  }

  @Override
  public void close() {
    context.close();
  }
}
