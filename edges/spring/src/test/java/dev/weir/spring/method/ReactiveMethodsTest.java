package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.Permit;
import dev.weir.library.RulesLimiter;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** Methods that return reactive types. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReactiveMethodsTest {
  /** Limited methods, each of which counts its calls. */
  static class Exports {
    private final AtomicInteger calls = new AtomicInteger();

    int calls() {
      return calls.get();
    }

    @RateLimited(name = "mail", key = "#tenant")
    Mono<String> mail(String tenant) {
      int call = calls.incrementAndGet();
      return Mono.fromSupplier(() -> "sent " + call);
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    Mono<String> one(String tenant, Mono<String> work) {
      return work;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    Flux<String> many(String tenant, Flux<String> work) {
      return work;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    Publisher<String> any(String tenant, Publisher<String> work) {
      return work;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant", maxWait = "1h")
    Mono<String> patient(String tenant, Mono<String> work) {
      calls.incrementAndGet();
      return work;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    Mono<String> throwing(String tenant) {
      throw new IllegalStateException("no disk for " + tenant);
    }

    @ConcurrencyLimited(name = "export", key = "#tenant", fallback = "cached")
    Flux<String> cacheable(String tenant) {
      return Flux.just("fresh", tenant);
    }

    Flux<String> cached(String tenant) {
      return Flux.just("cached", tenant);
    }

    @RateLimited(name = "mail", key = "#tenant")
    String blocking(String tenant) {
      return tenant;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant", maxWait = "1h")
    String blockingPatiently(String tenant) {
      return tenant;
    }
  }

  private ConfigurableApplicationContext context;
  private Exports exports;
  private RulesLimiter rules;

  @BeforeAll
  void start() {
    context =
        Contexts.start(
            List.of("calls.export.concurrent=1", "calls.mail.limit=2/hour"), Exports.class);
    exports = context.getBean(Exports.class);
    rules = context.getBean(RulesLimiter.class);
  }

  @AfterAll
  void stop() {
    context.close();
  }

  private boolean isFree(String key) {
    return rules
        .concurrency("export")
        .tryEnter(key)
        .map(
            permit -> {
              permit.close();
              return true;
            })
        .orElse(false);
  }

  @Test
  void eachSubscriptionIsLimitedAndCallsTheMethod() {
    Mono<String> mail = exports.mail("subscribed");
    int before = exports.calls();
    assertThat(rules.limiter("mail").peek("subscribed").remaining()).isEqualTo(2);
    StepVerifier.create(mail).expectNext("sent " + (before + 1)).verifyComplete();
    StepVerifier.create(mail).expectNext("sent " + (before + 2)).verifyComplete();
    StepVerifier.create(mail).verifyError(RateLimitedException.class);
    assertThat(exports.calls()).isEqualTo(before + 2);
  }

  @Test
  void permitIsFreeWhenTheNextSignalSeesTheEnd() {
    for (int i = 0; i < 100; i++) {
      assertThat(exports.one("ended", Mono.just("a")).block()).isEqualTo("a");
      assertThat(exports.many("ended", Flux.just("a", "b")).collectList().block()).hasSize(2);
      assertThat(Flux.from(exports.any("ended", Flux.just("a"))).blockLast()).isEqualTo("a");
      assertThat(exports.one("ended", Mono.empty()).blockOptional()).isEmpty();
    }
  }

  @Test
  void permitIsHeldWhileElementsCome() {
    Sinks.Many<String> work = Sinks.many().unicast().onBackpressureBuffer();
    StepVerifier.create(exports.many("held", work.asFlux()))
        .then(() -> work.tryEmitNext("a").orThrow())
        .expectNext("a")
        .then(() -> assertThat(isFree("held")).isFalse())
        .then(() -> work.tryEmitComplete().orThrow())
        .verifyComplete();
    assertThat(isFree("held")).isTrue();
  }

  @Test
  void failuresGiveThePermitBack() {
    StepVerifier.create(exports.one("failed", Mono.error(new IllegalStateException("no disk"))))
        .verifyErrorMessage("no disk");
    StepVerifier.create(exports.throwing("failed")).verifyErrorMessage("no disk for failed");
    assertThat(isFree("failed")).isTrue();
  }

  @Test
  void cancelledSubscriptionGivesThePermitBackOnce() {
    for (int i = 0; i < 20; i++) {
      Disposable one = exports.one("cancelled", Mono.never()).subscribe();
      assertThat(isFree("cancelled")).isFalse();
      one.dispose();
      Disposable many = exports.many("cancelled", Flux.never()).subscribe();
      one.dispose(); // a second time, when another one holds the permit
      assertThat(isFree("cancelled")).isFalse();
      many.dispose();
      assertThat(isFree("cancelled")).isTrue();
    }
  }

  @Test
  void takeOfSomeElementsGivesThePermitBack() {
    StepVerifier.create(
            exports.many("some", Flux.interval(Duration.ZERO).map(String::valueOf)).take(2))
        .expectNextCount(2)
        .verifyComplete();
    assertThat(isFree("some")).isTrue();
  }

  @Test
  void subscriberThatLeavesTheQueueLetsTheNextOneIn() {
    int before = exports.calls();
    Permit taken = rules.concurrency("export").enter("queue");
    Disposable first = exports.patient("queue", Mono.just("first")).subscribe();
    StepVerifier.create(exports.patient("queue", Mono.just("second")))
        .then(
            () -> {
              first.dispose();
              taken.close();
            })
        .expectNext("second")
        .verifyComplete();
    assertThat(exports.calls()).isEqualTo(before + 1);
    assertThat(isFree("queue")).isTrue();
  }

  @Test
  void cancelAndGrantAtTheSameTimeGiveThePermitBackOnce() throws Exception {
    for (int i = 0; i < 100; i++) {
      Permit taken = rules.concurrency("export").enter("race");
      Disposable waiting = exports.patient("race", Mono.just("done")).subscribe();
      Thread canceller = new Thread(waiting::dispose);
      canceller.start();
      taken.close();
      canceller.join();
      Await.until("the permit is free again", Duration.ofMinutes(1), () -> isFree("race"));
      try (Permit next = rules.concurrency("export").enter("race")) {
        assertThat(rules.concurrency("export").tryEnter(next.key())).isEmpty();
      }
    }
  }

  @Test
  void fallbackIsSubscribedInstead() {
    StepVerifier.create(exports.cacheable("acme")).expectNext("fresh", "acme").verifyComplete();
    try (Permit taken = rules.concurrency("export").enter("acme")) {
      assertThat(taken.key()).isEqualTo("acme");
      StepVerifier.create(exports.cacheable("acme")).expectNext("cached", "acme").verifyComplete();
    }
  }

  @Test
  void blockingMethodOnAnEventLoopDecidesAtOnceOrFails() {
    Mono<String> atOnce =
        Mono.fromSupplier(() -> exports.blocking("loop")).subscribeOn(Schedulers.parallel());
    assertThat(atOnce.block()).isEqualTo("loop");
    try (Permit taken = rules.concurrency("export").enter("loop")) {
      Mono<String> waits =
          Mono.fromSupplier(() -> exports.blockingPatiently(taken.key()))
              .subscribeOn(Schedulers.parallel());
      assertThatThrownBy(waits::block)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(".blockingPatiently: called on parallel-")
          .hasMessageContaining("(expected: a thread that may block, or a method that returns");
    }
    assertThat(isFree("loop")).isTrue();
  }
}
