package dev.weir.spring.method;

import dev.weir.spring.WeirCustomizer;
import dev.weir.testkit.Repository;
import dev.weir.testkit.time.ManualTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;

/** Applications with the classes and the properties that a page of the documentation shows. */
public final class SnippetApplication {
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  private SnippetApplication() {}

  /** Stops the clock, so that permits are not refilled meanwhile. */
  @Configuration
  static class StoppedClock {
    @Bean
    WeirCustomizer stoppedClock() {
      return weir -> weir.ticker(ManualTicker.at(Duration.ofDays(20_000)));
    }
  }

  /**
   * Starts one.
   *
   * @param page whose first properties with {@code weir.calls} apply
   */
  public static ConfigurableApplicationContext start(
      String page, List<String> more, Class<?>... beans) {
    List<String> properties = new ArrayList<>(more);
    calls(page).forEach((name, value) -> properties.add(name + "=" + value));
    List<Class<?>> all = new ArrayList<>(List.of(beans));
    all.add(StoppedClock.class);
    return Contexts.start(properties, all.toArray(Class<?>[]::new));
  }

  private static Properties calls(String page) {
    try {
      String text = Files.readString(Repository.path(Path.of("docs", page).toString()));
      String yaml =
          YAML.matcher(text)
              .results()
              .map(found -> found.group(1))
              .filter(block -> block.contains("weir:\n  calls:"))
              .findFirst()
              .orElseThrow();
      YamlPropertiesFactoryBean read = new YamlPropertiesFactoryBean();
      read.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
      Properties properties = read.getObject();
      if (properties == null) {
        throw new IllegalStateException("no properties in " + page);
      }
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
