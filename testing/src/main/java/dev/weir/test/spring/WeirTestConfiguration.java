package dev.weir.test.spring;

import dev.weir.library.Weir;
import dev.weir.test.BreakableStore;
import dev.weir.test.WeirTime;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Gives the Weir of an application the clock and the store of a test. */
@AutoConfiguration
class WeirTestConfiguration {

  @Bean
  @ConditionalOnMissingBean
  WeirTime weirTime() {
    return new WeirTime();
  }

  @Bean
  @ConditionalOnMissingBean
  BreakableStore breakableStore(WeirTime time) {
    return new BreakableStore(time);
  }

  @Bean
  TestStoreCustomizer weirTestStoreCustomizer(BreakableStore store) {
    return new TestStoreCustomizer(store);
  }

  @Bean
  TestStoreCheck weirTestStoreCheck(TestStoreCustomizer customizer, ObjectProvider<Weir> weirs) {
    return new TestStoreCheck(customizer, weirs);
  }
}
