package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Beans that are made before most post-processors, since one of those needs them. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class EarlyBeansTest {
  private static final List<String> ONCE = List.of("calls.once.limit=1/hour");

  /** Has a limit. */
  static class Sender {
    @RateLimited(name = "once", key = "#tenant")
    public void send(String tenant) {}
  }

  /** Needed by the post-processor that is made first. */
  static class First extends Sender {}

  /** Needed by a post-processor without an order. */
  static class Last extends Sender {}

  /** Made when all post-processors are there. */
  static class Usual extends Sender {}

  /** Made before all others. */
  record FirstProcessor(First needed) implements BeanPostProcessor, PriorityOrdered {
    @Override
    public int getOrder() {
      return Ordered.HIGHEST_PRECEDENCE;
    }
  }

  /** Made after all others. */
  record LastProcessor(Last needed) implements BeanPostProcessor {}

  /** Declares all of them. */
  @Configuration
  static class Beans {
    @Bean
    static First first() {
      return new First();
    }

    @Bean
    static Last last() {
      return new Last();
    }

    @Bean
    static Usual usual() {
      return new Usual();
    }

    @Bean
    static FirstProcessor firstProcessor(First first) {
      return new FirstProcessor(first);
    }

    @Bean
    static LastProcessor lastProcessor(Last last) {
      return new LastProcessor(last);
    }
  }

  @Test
  void beansThatPostProcessorsNeedAreLimitedOnce(CapturedOutput output) {
    try (ConfigurableApplicationContext context = Contexts.start(ONCE, Beans.class)) {
      List<Sender> senders =
          List.of(
              context.getBean(FirstProcessor.class).needed(),
              context.getBean(LastProcessor.class).needed(),
              context.getBean(Usual.class));
      for (Sender sender : senders) {
        String tenant = sender.getClass().getSimpleName();
        assertThat(((Advised) sender).getAdvisors()).hasSize(1);
        sender.send(tenant);
        assertThatThrownBy(() -> sender.send(tenant)).isInstanceOf(RateLimitedException.class);
      }
      assertThat(context.getBean(First.class)).isSameAs(senders.get(0));
      assertThat(output).doesNotContain("'usual'");
    }
  }
}
