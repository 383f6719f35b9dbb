package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.rules.yaml.RulesText;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request is charged once, whichever way it takes through an application. */
@Timeout(120)
class DispatchTest {
  private final Weir weir = Weir.inMemory();
  @TempDir private Path folder = Path.of("");

  @AfterEach
  void close() {
    weir.close();
  }

  private RulesLimiter rules(String text) {
    return weir.rules(RulesText.of("rules.yaml", text + "\n"));
  }

  private static Consumer<ServletContext> limited(Filter filter) {
    return context -> {
      Applications.filter(context, "weir", filter);
      Applications.serveOk(context);
    };
  }

  private static String remaining(RunningServer server) throws Exception {
    return server.get("/").headers().firstValue("X-RateLimit-Remaining").orElseThrow();
  }

  /** The filter is mapped to every way of dispatching, and the request takes several. */
  @ParameterizedTest
  @EnumSource
  void forwardsIncludesAndErrorsAreNotChargedAgain(Container container) throws Exception {
    WeirFilter filter =
        WeirFilter.of(rules("rules: [{name: ten, limit: 10/hour, algorithm: fixed-window}]"));
    Consumer<ServletContext> application =
        context -> {
          limited(filter).accept(context);
          Applications.serve(
              context,
              "/forward",
              (request, response) ->
                  request.getRequestDispatcher("/target").forward(request, response));
          Applications.serve(
              context,
              "/include",
              (request, response) ->
                  request.getRequestDispatcher("/target").include(request, response));
          Applications.serve(context, "/error", (request, response) -> response.sendError(409));
          Applications.serve(
              context,
              "/throw",
              (request, response) -> {
                throw new ServletException("on purpose");
              });
        };
    try (RunningServer server = container.start(folder, application)) {
      assertThat(server.status("/forward")).isEqualTo(200);
      assertThat(server.status("/include")).isEqualTo(200);
      assertThat(server.status("/error")).isEqualTo(409);
      assertThat(server.status("/throw")).isEqualTo(500);
      assertThat(remaining(server)).isEqualTo("5");
    }
  }

  @ParameterizedTest
  @EnumSource
  void sameLimiterInSeveralFiltersChargesOnce(Container container) throws Exception {
    RulesLimiter limiter = rules("rules: [{name: ten, limit: 10/hour, algorithm: fixed-window}]");
    WeirFilter filter = WeirFilter.of(limiter);
    Consumer<ServletContext> application =
        context -> {
          Applications.filter(context, "first", filter);
          Applications.filter(context, "other instance", WeirFilter.of(limiter));
          Applications.serveOk(context);
        };
    try (RunningServer server = container.start(folder, application)) {
      assertThat(remaining(server)).isEqualTo("9");
      assertThat(remaining(server)).isEqualTo("8");
    }
  }

  /** Two sets of rules: neither filter makes the other one blind. */
  @ParameterizedTest
  @EnumSource
  void differentLimitersAllApply(Container container) throws Exception {
    Consumer<ServletContext> application =
        context -> {
          Applications.filter(
              context, "wide", WeirFilter.of(rules("rules: [{name: wide, limit: 100/hour}]")));
          Applications.filter(
              context, "narrow", WeirFilter.of(rules("rules: [{name: narrow, limit: 1/hour}]")));
          Applications.serveOk(context);
        };
    try (RunningServer server = container.start(folder, application)) {
      assertThat(server.status("/")).isEqualTo(200);
      assertThat(server.status("/")).isEqualTo(429);
    }
  }
}
