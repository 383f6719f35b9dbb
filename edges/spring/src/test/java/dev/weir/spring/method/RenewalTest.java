package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.Permit;
import dev.weir.library.RulesLimiter;
import dev.weir.spring.WeirCustomizer;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Work that lasts several times as long as a permit, on a clock that is moved by hand. */
@Timeout(120)
class RenewalTest {
  /** The clock and the timers. */
  @Configuration
  static class MovedTime {
    @Bean
    ManualTicker ticker() {
      return ManualTicker.at(Duration.ofDays(20_000));
    }

    @Bean
    ManualScheduler scheduler(ManualTicker ticker) {
      return new ManualScheduler(ticker);
    }

    @Bean
    WeirCustomizer movedTime(ManualTicker ticker, ManualScheduler scheduler) {
      return weir -> weir.ticker(ticker).scheduler(scheduler);
    }
  }

  /** Holds permits of one minute. */
  static class Exports {
    @ConcurrencyLimited(name = "export", key = "'blocking'")
    void export(Runnable work) {
      work.run();
    }

    @ConcurrencyLimited(name = "export", key = "'async'")
    CompletableFuture<String> exportAsync(CompletableFuture<String> work) {
      return work;
    }
  }

  @Test
  void permitsAreRenewedWhileTheWorkLastsAndNotAfterwards() {
    List<String> properties = List.of("calls.export.concurrent=1", "calls.export.expires=1m");
    try (ConfigurableApplicationContext context =
        Contexts.start(properties, MovedTime.class, Exports.class)) {
      ManualScheduler time = context.getBean(ManualScheduler.class);
      Exports exports = context.getBean(Exports.class);
      ConcurrencyLimiter limiter = context.getBean(RulesLimiter.class).concurrency("export");
      CompletableFuture<String> work = new CompletableFuture<>();
      CompletableFuture<String> async = exports.exportAsync(work);
      exports.export(
          () -> {
            for (int i = 0; i < 50; i++) {
              time.advance(Duration.ofSeconds(10));
              assertThat(limiter.tryEnter("blocking")).isEmpty();
              assertThat(limiter.tryEnter("async")).isEmpty();
            }
          });
      Permit next = limiter.enter("blocking");
      time.advance(Duration.ofSeconds(61));
      assertThat(limiter.tryEnter("blocking")).as("nobody renews that of the test").isPresent();
      assertThat(next.renew()).isFalse();
      assertThat(limiter.tryEnter("async")).isEmpty();
      assertThat(work.complete("done")).isTrue();
      assertThat(async.join()).isEqualTo("done");
      assertThat(limiter.tryEnter("async")).isPresent();
    }
  }

  @Test
  void permitIsReleasedAlthoughTheWorkFailsLate() {
    List<String> properties = List.of("calls.export.concurrent=1", "calls.export.expires=1m");
    try (ConfigurableApplicationContext context =
        Contexts.start(properties, MovedTime.class, Exports.class)) {
      ManualScheduler time = context.getBean(ManualScheduler.class);
      Exports exports = context.getBean(Exports.class);
      assertThatThrownBy(
              () ->
                  exports.export(
                      () -> {
                        time.advance(Duration.ofMinutes(5));
                        throw new IllegalStateException("disk full");
                      }))
          .hasMessage("disk full");
      assertThat(context.getBean(RulesLimiter.class).concurrency("export").tryEnter("blocking"))
          .isPresent();
    }
  }
}
