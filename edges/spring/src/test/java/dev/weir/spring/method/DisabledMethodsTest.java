package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Annotations of an application that switches Weir off. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class DisabledMethodsTest {
  /** Names limits that need not exist. */
  static class Mail {
    @RateLimited(name = "nowhere", key = "#to")
    String send(String to) {
      return to;
    }
  }

  /** Is a second one. */
  static class Export {
    @ConcurrencyLimited(name = "nowhere")
    void export() {}
  }

  /** Has nothing to limit. */
  static class Free {}

  @Test
  void limitsNothingAndSaysSoOnce(CapturedOutput output) {
    List<String> disabled = List.of("weir.enabled=false");
    try (ConfigurableApplicationContext context =
        Contexts.start(disabled, Mail.class, Export.class)) {
      Mail mail = context.getBean(Mail.class);
      assertThat(AopUtils.isAopProxy(mail)).isFalse();
      assertThat(mail.send("acme")).isEqualTo("acme");
    }
    assertThat(output.getOut().split("weir.enabled=false: methods with", -1)).hasSize(2);
  }

  @Test
  void saysNothingIfThereIsNothingToLimit(CapturedOutput output) {
    try (ConfigurableApplicationContext context =
        Contexts.start(List.of("weir.enabled=false"), Free.class)) {
      assertThat(context.getBean(Free.class)).isNotNull();
    }
    assertThat(output.getOut()).doesNotContain("weir.enabled=false");
  }
}
