package dev.weir.test.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * On a Spring Boot test: the application counts by a clock that stands still until the test moves
 * it, in a store that the test can make fail, instead of its own. Its rules and properties stay.
 *
 * <p>The test may have a {@link dev.weir.test.WeirTime} and a {@link dev.weir.test.BreakableStore}
 * injected. Before each test method the store answers again, all counters are new, and all windows
 * and permits of earlier tests are over.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration(WeirTestConfiguration.class)
public @interface AutoConfigureWeir {}
