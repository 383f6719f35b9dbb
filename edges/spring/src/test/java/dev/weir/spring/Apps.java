package dev.weir.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Real applications on random ports. */
final class Apps {
  private Apps() {}

  /** Answers under a few paths. */
  @RestController
  static class Endpoints {
    @GetMapping({"/", "/hello", "/free"})
    String hello() {
      return "hello";
    }
  }

  /** An application without security. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Plain {}

  /** An application with what the class path offers. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Secured {}

  static Running start(WebApplicationType type, Map<String, String> properties, Class<?>... more) {
    List<Class<?>> sources = new ArrayList<>(List.of(more));
    List<String> all = new ArrayList<>();
    if (!sources.contains(Secured.class)) {
      sources.add(Plain.class);
      all.add("spring.autoconfigure.exclude=" + String.join(",", securityConfigurations()));
    }
    sources.add(Endpoints.class);
    all.add("server.port=0");
    all.add("spring.main.banner-mode=off");
    properties.forEach((key, value) -> all.add(key + "=" + value));
    SpringApplicationBuilder app =
        new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
            .web(type)
            .properties(all.toArray(String[]::new));
    return new Running(app.run());
  }

  static List<String> securityConfigurations() {
    return ImportCandidates.load(AutoConfiguration.class, Apps.class.getClassLoader())
        .getCandidates()
        .stream()
        .filter(name -> name.startsWith("org.springframework.boot.security."))
        .toList();
  }

  /** An application that runs. */
  record Running(ConfigurableApplicationContext context) implements AutoCloseable {
    int port() {
      return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
