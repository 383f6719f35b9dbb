package dev.weir.test.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.Weir;
import dev.weir.library.WeirBuilder;
import dev.weir.spring.WeirAutoConfiguration;
import dev.weir.spring.WeirCustomizer;
import dev.weir.spring.WeirStartupException;
import dev.weir.test.BreakableStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A test that would count by another clock than its own does not start. */
@Timeout(60)
class ApplicationsThatCannotBeTestedTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(WeirAutoConfiguration.class, WeirTestConfiguration.class))
          .withPropertyValues("weir.web.enabled=false");

  /** Builds its Weir itself. */
  @Configuration(proxyBeanMethods = false)
  static class OwnWeir {
    @Bean
    Weir own() {
      return Weir.inMemory();
    }
  }

  /** Builds its Weir itself, and asks the customizers. */
  @Configuration(proxyBeanMethods = false)
  static class CustomizedWeir {
    @Bean
    Weir own(ObjectProvider<WeirCustomizer> customizers) {
      WeirBuilder builder = Weir.builder();
      customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
      return builder.build();
    }
  }

  @Test
  void weirOfTheApplicationIsRejectedWithTheRemedy() {
    application
        .withUserConfiguration(OwnWeir.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .isInstanceOfSatisfying(
                        WeirStartupException.class,
                        failure -> assertThat(failure.remedy()).contains("WeirCustomizer beans to"))
                    .hasMessage(
                        "@AutoConfigureWeir: a Weir that the application builds itself (expected:"
                            + " the Weir of the starter, or one built with all WeirCustomizer"
                            + " beans)"));
  }

  @Test
  void weirOfTheApplicationThatAsksTheCustomizersIsAccepted() {
    application
        .withUserConfiguration(CustomizedWeir.class)
        .run(
            context -> {
              context.getBean(BreakableStore.class).fail();
              assertThat(context.getBean(Weir.class).store())
                  .hasToString("breakable store of a test");
            });
  }

  @Test
  void disabledWeirIsRejected() {
    application
        .withPropertyValues("weir.enabled=false")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .isInstanceOf(WeirStartupException.class)
                    .hasMessageStartingWith("@AutoConfigureWeir: no Weir"));
  }
}
