package dev.weir.test.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.Weir;
import dev.weir.test.BreakableStore;
import dev.weir.test.WeirTime;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Real applications, whose Redis cannot be reached, with the clock and the store of a test. */
@Timeout(300)
class AutoConfigureWeirTest {

  /** What both kinds of applications do. */
  abstract static class Requests {
    @Autowired WeirTime time;
    @Autowired BreakableStore store;
    @Autowired private Weir weir;
    @LocalServerPort private int port;

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> get(String path) throws Exception {
      URI uri = URI.create("http://localhost:" + port + path);
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    /** Each time anew: the application is the same one for all tests. */
    @RepeatedTest(3)
    void eachTestHasNewCounters() throws Exception {
      assertThat(get("/hello").headers().firstValue("X-RateLimit-Remaining")).contains("1");
      assertThat(get("/hello").statusCode()).isEqualTo(200);
      HttpResponse<String> denied = get("/hello");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.headers().firstValue("Retry-After")).contains("3600");
      time.advance(Duration.ofHours(1));
      assertThat(get("/hello").statusCode()).isEqualTo(200);
    }

    @Test
    void rulesDecideWhatHappensDuringAnOutage() throws Exception {
      store.fail();
      assertThat(get("/hello").headers().firstValue("Weir-Degraded")).contains("local");
      assertThat(get("/login").statusCode()).isEqualTo(503);
      store.recover();
      assertThat(get("/login").statusCode()).isEqualTo(200);
    }

    @Test
    void hangingStoreIsAwaitedNoLongerThanTheDeadline() throws Exception {
      store.hang();
      assertThat(get("/login").statusCode()).isEqualTo(503);
    }

    @Test
    void openCircuitBreakerOfATestIsClosedInTheNextOne() throws Exception {
      assertThat(weir.store().answering()).isTrue();
      store.fail();
      time.advance(Duration.ofSeconds(10));
      assertThat(weir.store().answering()).isFalse();
      assertThat(get("/login").statusCode()).isEqualTo(503);
    }

    @Test
    void openCircuitBreakerOfAnotherTestIsClosed() throws Exception {
      openCircuitBreakerOfATestIsClosedInTheNextOne();
    }
  }

  @Nested
  @SpringBootTest(
      webEnvironment = WebEnvironment.RANDOM_PORT,
      properties = "spring.main.web-application-type=servlet")
  @Application
  class Servlets extends Requests {
    @Nested
    class InANestedClass {
      @Autowired private WeirTime sameTime;

      @Test
      void clockIsThatOfTheApplication(@Autowired BreakableStore store) {
        assertThat(sameTime).isSameAs(time);
        assertThat(store).isSameAs(Servlets.this.store);
      }
    }
  }

  @Nested
  @SpringBootTest(
      webEnvironment = WebEnvironment.RANDOM_PORT,
      properties = "spring.main.web-application-type=reactive")
  @Application
  class WebFlux extends Requests {}

  /** What applications of these tests have. */
  @AutoConfigureWeir
  @TestPropertySource(
      properties = {
        "weir.store.url=redis://127.0.0.1:1",
        "weir.store.required=true",
        "weir.store.deadline=5ms",
        "weir.limits.hello.match.path=/hello",
        "weir.limits.hello.per=ip",
        "weir.limits.hello.limit=2/hour",
        "weir.limits.hello.algorithm=fixed-window",
        "weir.limits.login.match.path=/login",
        "weir.limits.login.limit=100/hour",
        "weir.limits.login.when-store-fails=deny"
      })
  @Retention(RetentionPolicy.RUNTIME)
  @interface Application {}

  /** The application. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @RestController
  static class Hello {
    @GetMapping({"/hello", "/login"})
    String hello() {
      return "hello";
    }
  }
}
