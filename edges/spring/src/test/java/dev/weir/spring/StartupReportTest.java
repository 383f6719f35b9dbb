package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.RedisServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An application says in one line, before the first request, what it limits. */
@ExtendWith(OutputCaptureExtension.class)
class StartupReportTest {
  private static Map<String, String> rules(String... more) {
    Map<String, String> all = new HashMap<>();
    all.put("weir.limits.one.limit", "1/second");
    all.put("weir.limits.two.limit", "1/second");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void saysWhatIsLimitedWhereItIsCounted(WebApplicationType type, CapturedOutput output) {
    try (Running app = Apps.start(type, rules())) {
      assertThat(output).containsOnlyOnce("Weir filter active, 2 rules, store embedded");
      assertThat(app.context().isRunning()).isTrue();
    }
  }

  @Test
  void saysWhetherRedisAnswers(CapturedOutput output) {
    String address;
    try (RedisServer redis = RedisServer.start()) {
      address = "127.0.0.1:" + redis.port();
      Apps.start(WebApplicationType.SERVLET, rules("weir.store.url", redis.url())).close();
      assertThat(output).contains("Weir filter active, 2 rules, store Redis " + address);
      assertThat(output).doesNotContain("(not answering)");
    }
    Apps.start(WebApplicationType.SERVLET, rules("weir.store.url", "redis://" + address)).close();
    assertThat(output).contains("2 rules, store Redis " + address + " (not answering)");
  }

  @Test
  void checksAnApplicationThatMakesItsBeansLater(CapturedOutput output) {
    Map<String, String> properties = rules("spring.main.lazy-initialization", "true");
    try (Running app = Apps.start(WebApplicationType.REACTIVE, properties)) {
      assertThat(output).containsOnlyOnce("Weir filter active, 2 rules, store embedded");
      assertThat(app.context().isRunning()).isTrue();
    }
  }

  @Test
  void saysThatOnlyCallsAreLimited(CapturedOutput output) {
    Map<String, String> properties = new HashMap<>();
    properties.put("weir.calls.mail.limit", "1/second");
    properties.put("weir.web.enabled", "false");
    try (Running app = Apps.start(WebApplicationType.NONE, properties)) {
      assertThat(output)
          .contains("Weir active without a filter for requests, 0 rules, store embed");
      RulesLimiter rules = app.context().getBean(RulesLimiter.class);
      assertThat(rules.limiter("mail").tryAcquire("a").allowed()).isTrue();
    }
  }
}
