package dev.weir.spring.method;

import dev.weir.spring.WeirAutoConfiguration;
import dev.weir.spring.WeirStartupException;
import dev.weir.spring.method.proxy.WeirMethodAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** Applications with beans that tests put together, and limits in properties. */
final class Contexts {
  private Contexts() {}

  /** What the starter brings. */
  @SpringBootConfiguration
  @ImportAutoConfiguration({WeirAutoConfiguration.class, WeirMethodAutoConfiguration.class})
  static class Application {}

  /**
   * Starts an application without a web server.
   *
   * @param properties such as {@code weir.calls.mail.limit=1/hour}; the prefix {@code weir.} may be
   *     left out
   */
  static ConfigurableApplicationContext start(List<String> properties, Class<?>... beans) {
    List<Class<?>> sources = new ArrayList<>(List.of(beans));
    sources.add(Application.class);
    List<String> all = new ArrayList<>(List.of("spring.main.banner-mode=off"));
    properties.forEach(one -> all.add(one.startsWith("calls.") ? "weir." + one : one));
    all.add("weir.web.enabled=false");
    return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
        .resourceLoader(new DefaultResourceLoader(sources.get(0).getClassLoader()))
        .web(WebApplicationType.NONE)
        .properties(all.toArray(String[]::new))
        .run();
  }

  /** Why an application does not start. */
  static WeirStartupException refused(List<String> properties, Class<?>... beans) {
    Throwable failure = null;
    try (ConfigurableApplicationContext unexpected = start(properties, beans)) {
      throw new AssertionError("started: " + unexpected);
    } catch (RuntimeException e) {
      failure = e;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof WeirStartupException found) {
        return found;
      }
    }
    throw new AssertionError("not refused by Weir", failure);
  }
}
