package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Mono;

/** Clients that Spring makes of annotated interfaces, and that call a server. */
@Timeout(120)
class HttpClientsTest {
  private static final List<String> LIMITS =
      List.of("calls.once.limit=1/hour", "calls.export.concurrent=1");

  /** An annotated client. */
  public interface Tenants {
    @GetExchange("/{tenant}")
    @RateLimited(name = "once", key = "#tenant")
    String find(@PathVariable String tenant);

    @GetExchange("/{tenant}")
    @RateLimited(name = "once", key = "'or default ' + #tenant", fallback = "byDefault")
    String findOrDefault(@PathVariable String tenant);

    /** A fallback. */
    default String byDefault(String tenant) {
      return "default of " + tenant;
    }

    @GetExchange("/{tenant}")
    String unlimited(@PathVariable String tenant);
  }

  /** An annotated client that does not block. */
  interface ReactiveTenants {
    @GetExchange("/{tenant}")
    @ConcurrencyLimited(name = "export")
    @RateLimited(name = "once", key = "#tenant")
    Mono<String> find(@PathVariable String tenant);
  }

  /** Makes the clients. */
  @Configuration
  static class Clients {
    @Bean
    Tenants tenants(@Value("${server}") String server) {
      RestClient client = RestClient.create(server);
      return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
          .build()
          .createClient(Tenants.class);
    }

    @Bean
    ReactiveTenants reactiveTenants(@Value("${server}") String server) {
      WebClient client = WebClient.create(server);
      return HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))
          .build()
          .createClient(ReactiveTenants.class);
    }
  }

  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;
  private ConfigurableApplicationContext context;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = ("answer " + requests.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    List<String> properties = new ArrayList<>(LIMITS);
    properties.add("server=http://127.0.0.1:" + server.getAddress().getPort());
    context = Contexts.start(properties, Clients.class);
  }

  @AfterEach
  void stop() {
    context.close();
    server.stop(0);
  }

  @Test
  void deniedCallSendsNoRequest() {
    Tenants tenants = context.getBean(Tenants.class);
    assertThat(tenants.find("acme")).isEqualTo("answer 1");
    assertThatThrownBy(() -> tenants.find("acme")).isInstanceOf(RateLimitedException.class);
    assertThat(tenants.find("globex")).isEqualTo("answer 2");
    assertThat(tenants.unlimited("acme")).isEqualTo("answer 3");
    assertThat(requests).hasValue(3);
  }

  @Test
  void deniedCallRunsADefaultMethodOfTheClient() {
    Tenants tenants = context.getBean(Tenants.class);
    assertThat(tenants.findOrDefault("acme")).isEqualTo("answer 1");
    assertThat(tenants.findOrDefault("acme")).isEqualTo("default of acme");
  }

  @Test
  void deniedSubscriptionSendsNoRequest() {
    ReactiveTenants tenants = context.getBean(ReactiveTenants.class);
    Mono<String> acme = tenants.find("acme");
    assertThat(acme.block()).isEqualTo("answer 1");
    assertThatThrownBy(acme::block).isInstanceOf(RateLimitedException.class);
    assertThat(tenants.find("globex").block()).isEqualTo("answer 2");
    assertThat(requests).hasValue(2);
  }
}
