package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.RulesLimiter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Limits come before transactions, other threads and retries. */
@Timeout(120)
class OrderTest {
  /** An application that has everything. */
  @Configuration
  @EnableTransactionManagement
  @EnableAsync
  @EnableResilientMethods
  @ImportAutoConfiguration(AopAutoConfiguration.class)
  static class Everything {
    @Bean
    Transactions transactions() {
      return new Transactions();
    }
  }

  /** Counts transactions. */
  static class Transactions extends AbstractPlatformTransactionManager
      implements PlatformTransactionManager {
    private static final long serialVersionUID = 1;

    private final AtomicInteger begun = new AtomicInteger();

    int begun() {
      return begun.get();
    }

    @Override
    protected Object doGetTransaction() {
      return this;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
      begun.incrementAndGet();
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  /** Annotated by others too. */
  static class Mail {
    private final AtomicInteger attempts = new AtomicInteger();

    @Transactional
    @RateLimited(name = "once", key = "'transaction'")
    public void inTransaction() {}

    @Async
    @ConcurrencyLimited(name = "one", key = "'async'")
    public CompletableFuture<String> elsewhere(CompletableFuture<String> work) {
      return CompletableFuture.completedFuture(Thread.currentThread().getName() + work.join());
    }

    @Retryable(maxRetries = 2, delay = 1)
    @RateLimited(name = "once", key = "'retry'")
    public String retried() {
      if (attempts.incrementAndGet() < 3) {
        throw new IllegalStateException("not yet");
      }
      return "after " + attempts.get();
    }
  }

  private static ConfigurableApplicationContext start() {
    return Contexts.start(
        List.of("calls.once.limit=1/hour", "calls.one.concurrent=1"), Mail.class, Everything.class);
  }

  @Test
  void deniedCallBeginsNoTransaction() {
    try (ConfigurableApplicationContext context = start()) {
      Mail mail = context.getBean(Mail.class);
      mail.inTransaction();
      assertThatThrownBy(mail::inTransaction).isInstanceOf(RateLimitedException.class);
      assertThat(context.getBean(Transactions.class).begun()).isEqualTo(1);
    }
  }

  @Test
  void permitIsHeldUntilAsyncWorkIsOver() {
    try (ConfigurableApplicationContext context = start()) {
      Mail mail = context.getBean(Mail.class);
      CompletableFuture<String> work = new CompletableFuture<>();
      CompletableFuture<String> result = mail.elsewhere(work);
      assertThatThrownBy(() -> mail.elsewhere(work).join())
          .hasCauseInstanceOf(RateLimitedException.class);
      assertThat(context.getBean(RulesLimiter.class).concurrency("one").tryEnter("async"))
          .isEmpty();
      work.complete("!");
      assertThat(result.join()).endsWith("!").isNotEqualTo(Thread.currentThread().getName() + "!");
      assertThat(context.getBean(RulesLimiter.class).concurrency("one").tryEnter("async"))
          .isPresent();
    }
  }

  @Test
  void retriesOfOneCallCostOnePermit() {
    try (ConfigurableApplicationContext context = start()) {
      Mail mail = context.getBean(Mail.class);
      assertThat(mail.retried()).isEqualTo("after 3");
      assertThatThrownBy(mail::retried).isInstanceOf(RateLimitedException.class);
    }
  }
}
