package dev.weir.test.spring;

import dev.weir.library.Weir;
import dev.weir.spring.WeirStartupException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Does not let a test start that would count by another clock than its own. */
final class TestStoreCheck implements SmartInitializingSingleton {
  private final TestStoreCustomizer customizer;
  private final ObjectProvider<Weir> weirs;

  TestStoreCheck(TestStoreCustomizer customizer, ObjectProvider<Weir> weirs) {
    this.customizer = customizer;
    this.weirs = weirs;
  }

  @Override
  public void afterSingletonsInstantiated() {
    long made = weirs.stream().count();
    if (made == 0 || !customizer.isApplied()) {
      throw new WeirStartupException(
          "@AutoConfigureWeir: "
              + (made == 0 ? "no Weir" : "a Weir that the application builds itself")
              + " (expected: the Weir of the starter, or one built with all WeirCustomizer beans)",
          made == 0
              ? "Do not set weir.enabled=false in this test."
              : "Pass the WeirCustomizer beans to the method that declares the Weir, and let each"
                  + " customize its builder.");
    }
  }
}
