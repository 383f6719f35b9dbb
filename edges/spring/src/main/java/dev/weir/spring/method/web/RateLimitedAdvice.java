package dev.weir.spring.method.web;

import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.library.Denial;
import dev.weir.spring.WeirProperties;
import dev.weir.spring.method.RateLimitedException;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers requests whose controllers call a method that is denied, as the filter answers those that
 * it denies. Declare a bean of this type, or an advice with a smaller order, to answer otherwise.
 * Thread-safe.
 */
@ControllerAdvice
@Order(0)
public class RateLimitedAdvice {
  private static final URI QUOTA_EXCEEDED =
      URI.create("https://iana.org/assignments/http-problem-types#quota-exceeded");
  private static final URI UNAVAILABLE = URI.create("urn:weir:problem:store-unavailable");
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  private final int status;
  private final DenialHeaders headers;

  /** Answers with the status and the headers of {@code weir.web}. */
  public RateLimitedAdvice(WeirProperties properties) {
    Integer configured = properties.web().status();
    Set<Family> families = properties.web().headers();
    this.status = configured == null ? TOO_MANY_REQUESTS : configured;
    this.headers = new DenialHeaders(families == null ? EnumSet.allOf(Family.class) : families);
  }

  /** The response to a request. */
  @ExceptionHandler(RateLimitedException.class)
  public ResponseEntity<ProblemDetail> answer(RateLimitedException denied) {
    ProblemDetail problem = problem(denied);
    HttpHeaders written = new HttpHeaders();
    headers.write(denied, written::set);
    return ResponseEntity.status(problem.getStatus()).headers(written).body(problem);
  }

  private ProblemDetail problem(RateLimitedException denied) {
    Denial denial = denied.denial();
    return switch (denial.reason()) {
      case STORE_UNAVAILABLE -> {
        ProblemDetail problem =
            of(
                SERVICE_UNAVAILABLE,
                UNAVAILABLE,
                "Service Unavailable",
                "The store did not answer.");
        problem.setProperty("degraded", "deny");
        yield problem;
      }
      // Only rules for requests may ask for another status.
      case BLOCKED -> quotaExceeded(denied, "This caller is blocked.");
      case LIMIT_REACHED -> quotaExceeded(denied, retry(denied));
      case COST_ABOVE_LIMIT ->
          quotaExceeded(denied, "The request costs more than the limit can ever grant.");
    };
  }

  private static String retry(RateLimitedException denied) {
    return denied
        .retryAfter()
        .map(wait -> "Try again in " + DenialHeaders.ceil(wait) + " s.")
        .orElse("Try again later.");
  }

  private ProblemDetail quotaExceeded(RateLimitedException denied, String detail) {
    ProblemDetail problem = of(status, QUOTA_EXCEEDED, "Too many requests", detail);
    problem.setProperty("violated-policies", List.of(denied.denial().name()));
    return problem;
  }

  private static ProblemDetail of(int status, URI type, String title, String detail) {
    ProblemDetail problem = ProblemDetail.forStatus(status);
    problem.setType(type);
    problem.setTitle(title);
    problem.setDetail(detail);
    return problem;
  }
}
