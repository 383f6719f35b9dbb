package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.library.Denial;
import dev.weir.spring.WeirProperties;
import dev.weir.spring.method.web.RateLimitedAdvice;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/** Calls that are blocked. */
@Timeout(120)
class BlockedMethodsTest {
  /** Has a method that nobody may call. */
  static class Closed {
    @RateLimited(name = "closed")
    void enter() {}
  }

  @Test
  void responseHasTheStatusThatBlockedCallersGetByDefault() {
    List<String> properties = List.of("calls.closed.limit=blocked");
    try (ConfigurableApplicationContext context = Contexts.start(properties, Closed.class)) {
      Closed closed = context.getBean(Closed.class);
      RateLimitedException denied = catchThrowableOfType(RateLimitedException.class, closed::enter);
      assertThat(denied.denial().reason()).isEqualTo(Denial.Reason.BLOCKED);
      ResponseEntity<ProblemDetail> response =
          new RateLimitedAdvice(context.getBean(WeirProperties.class)).answer(denied);
      assertThat(response.getStatusCode().value()).isEqualTo(429);
      assertThat(response.getHeaders().containsHeader(HttpHeaders.RETRY_AFTER)).isFalse();
      ProblemDetail problem = Objects.requireNonNull(response.getBody());
      assertThat(problem.getDetail()).isEqualTo("This caller is blocked.");
      assertThat(problem.getProperties()).containsEntry("violated-policies", List.of("closed"));
    }
  }
}
