package dev.weir.testkit.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.spring.WeirCustomizer;
import dev.weir.testkit.time.ManualTicker;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.support.GenericApplicationContext;

/**
 * What every form of the ride-hailing example limits, with counters in the application itself and a
 * clock that stands still unless a test moves it. Each test is about endpoints of its own.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class LimitsContract {
  /** The middle of an hour, so that nothing lasts into the next one. */
  private static final Duration START = Duration.ofMinutes(500_000 * 60 + 30);

  private final Class<?> application;
  private final ManualTicker clock = ManualTicker.at(START);
  private RunningExample app;

  /** The contract of an application. */
  @SuppressWarnings("NullAway.Init")
  protected LimitsContract(Class<?> application) {
    this.application = application;
  }

  @BeforeAll
  void start() {
    app =
        RunningExample.start(
            application,
            context ->
                ((GenericApplicationContext) context)
                    .registerBean(WeirCustomizer.class, () -> weir -> weir.ticker(clock)));
  }

  @AfterAll
  void stop() {
    app.close();
  }

  @BeforeEach
  void resetClock() {
    clock.set(START);
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("none");
  }

  @ParameterizedTest
  @CsvSource({
    "RIDE_REQUESTS,  10,   5,    1,    1",
    "FARE_ESTIMATES, 10,   5,    1,    1",
    "NEARBY_DRIVERS, 10,   5,    1,    1",
    "TRIP_HISTORY,  100, 100, 3600, 1836",
    "ZONE_STATS,     30,  30,   60,   60"
  })
  void endpointAdmitsItsLimitAndDeniesTheNext(
      Endpoint endpoint, int capacity, int permits, int windowSeconds, int retryAfter)
      throws Exception {
    for (int left = capacity - 1; left >= 0; left--) {
      HttpResponse<String> answer = app.send(endpoint, "ann");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(header(answer, "X-RateLimit-Remaining")).isEqualTo("" + left);
      assertThat(header(answer, "Retry-After")).isEqualTo("none");
    }
    HttpResponse<String> denied = app.send(endpoint, "ann");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(header(denied, "Retry-After")).isEqualTo("" + retryAfter);
    assertThat(header(denied, "X-RateLimit-Limit")).isEqualTo("" + permits);
    assertThat(header(denied, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(header(denied, "X-RateLimit-Reset")).as("seconds since the epoch").matches("\\d+");
    String name = '"' + endpoint.rule() + '"';
    assertThat(header(denied, "RateLimit-Policy"))
        .isEqualTo(name + ";q=" + permits + ";w=" + windowSeconds);
    assertThat(header(denied, "RateLimit")).isEqualTo(name + ";r=0;t=" + retryAfter);
    assertThat(header(denied, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(denied, "Content-Type")).startsWith("application/problem+json");
    assertThat(denied.body()).contains("\"status\":429", "\"violated-policies\":[" + name + "]");
    assertThat(app.send(endpoint, "bob").statusCode()).as("another rider").isEqualTo(200);
  }

  @Test
  void locationsFlowEvenlyAndAreDeniedWhenFiveThousandWait() throws Exception {
    Endpoint endpoint = Endpoint.DRIVER_LOCATIONS;
    HttpResponse<String> first = app.send(endpoint, "dee");
    assertThat(first.statusCode()).isEqualTo(204);
    assertThat(header(first, "RateLimit-Policy")).isEqualTo("\"driver-locations\";q=3000;w=1");
    RulesLimiter rules = app.context().getBean(RulesLimiter.class);
    WebRequest more = WebRequest.of(endpoint.method(), endpoint.target());
    for (int ahead = 1; ahead <= 5_000; ahead++) {
      long micros = rules.check(more).delay().toNanos() / 1_000;
      assertThat(micros).isBetween(ahead * 1_000L / 3, ahead * 1_000L / 3 + 1);
    }
    HttpResponse<String> denied = app.send(endpoint, "dee");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(header(denied, "Retry-After")).isEqualTo("1");
    assertThat(denied.body()).contains("driver-locations");
    clock.advance(Duration.ofSeconds(1));
    HttpResponse<String> later = app.send(endpoint, "dee");
    assertThat(later.statusCode()).as("a second later there is room for 3,000").isEqualTo(204);
    assertThat(header(later, "X-RateLimit-Remaining")).isEqualTo("2999");
  }
}
