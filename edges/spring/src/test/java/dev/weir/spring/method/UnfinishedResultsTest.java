package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.Permit;
import dev.weir.library.RulesLimiter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Permits are not held for results whose work goes on after the method has returned. */
@Timeout(120)
class UnfinishedResultsTest {
  private static final List<String> CALLS = List.of("calls.export.concurrent=1");

  /** Writes its body later. */
  static class Streaming {
    @ConcurrencyLimited(name = "export")
    ResponseEntity<StreamingResponseBody> export() {
      return ResponseEntity.ok(out -> {});
    }
  }

  /** Emits later. */
  static class Emitting {
    @ConcurrencyLimited(name = "export")
    ResponseEntity<? extends SseEmitter> export() {
      return ResponseEntity.ok(new SseEmitter());
    }
  }

  /** Is subscribed to later. */
  static class Body {
    @ConcurrencyLimited(name = "export")
    ResponseEntity<Flux<String>> export() {
      return ResponseEntity.ok(Flux.just("exported"));
    }
  }

  /** Completes before its body does. */
  static class BodyInMono {
    @ConcurrencyLimited(name = "export")
    Mono<ResponseEntity<Flux<String>>> export() {
      return Mono.just(ResponseEntity.ok(Flux.just("exported")));
    }
  }

  /** Holds work in an array in a map. */
  static class Deep {
    @ConcurrencyLimited(name = "export")
    Map<String, List<Callable<String>[]>> export() {
      return Map.of();
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {Streaming.class, Emitting.class, Body.class, BodyInMono.class, Deep.class})
  void declaredAsTypeArgumentsTheyAreRefusedAtTheStart(Class<?> bean) {
    assertThat(Contexts.refused(CALLS, bean))
        .hasMessageStartingWith(bean.getName() + ".export: @ConcurrencyLimited: returns ")
        .hasMessageContaining(" (expected: a result that is there when the method returns, ");
  }

  /** Says nothing of what it returns. */
  static class Undeclared {
    @ConcurrencyLimited(name = "export")
    Object any(Supplier<?> work) {
      return work.get();
    }

    @ConcurrencyLimited(name = "export")
    <T> T generic(Supplier<T> work) {
      return work.get();
    }

    @ConcurrencyLimited(name = "export")
    ResponseEntity<?> entity(Object body) {
      return ResponseEntity.ok(body);
    }

    @ConcurrencyLimited(name = "export")
    <T extends Comparable<T>> T greatest(T one, T other) {
      return one.compareTo(other) < 0 ? other : one;
    }
  }

  @Test
  void undeclaredTheyFailTheCallAndGiveThePermitBack() {
    try (ConfigurableApplicationContext context = Contexts.start(CALLS, Undeclared.class)) {
      Undeclared bean = context.getBean(Undeclared.class);
      RulesLimiter rules = context.getBean(RulesLimiter.class);
      for (Object unfinished :
          List.of(
              Mono.just("exported"),
              Flux.just("exported"),
              new CompletableFuture<String>(),
              Stream.of("exported"),
              new SseEmitter())) {
        String returns = "Undeclared.%s: @ConcurrencyLimited: returns " + name(unfinished);
        assertThatThrownBy(() -> bean.any(() -> unfinished))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining(returns.formatted("any"))
            .hasMessageContaining(" (expected: a result that is there when the method returns, ");
        assertFree(rules);
        assertThatThrownBy(() -> bean.generic(() -> unfinished))
            .hasMessageContaining(returns.formatted("generic"));
        assertFree(rules);
        assertThatThrownBy(() -> bean.entity(unfinished))
            .hasMessageContaining(returns.formatted("entity"));
        assertFree(rules);
      }
      assertThat(bean.any(() -> "finished")).isEqualTo("finished");
      assertThat(bean.entity("finished").getBody()).isEqualTo("finished");
      assertThat(bean.greatest(1, 2)).isEqualTo(2);
    }
  }

  private static String name(Object result) {
    return result.getClass().getName() + " (";
  }

  private static void assertFree(RulesLimiter rules) {
    Optional<Permit> free = rules.concurrency("export").tryEnter("*");
    assertThat(free).isPresent();
    free.get().close();
  }
}
