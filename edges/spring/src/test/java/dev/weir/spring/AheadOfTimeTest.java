package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import dev.weir.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.util.ClassUtils;

/**
 * Applications as Spring prepares them for a native image, run on the JVM.
 *
 * <p>Generated code uses package-private types, so it is loaded together with them.
 */
@Timeout(180)
class AheadOfTimeTest {
  private final Http http = new Http();

  private static Map<String, Object> properties() {
    Map<String, Object> all = new HashMap<>();
    all.put("spring.autoconfigure.exclude", String.join(",", Apps.securityConfigurations()));
    all.put("server.port", "0");
    all.put("weir.limits.hello.match.path", "/hello");
    all.put("weir.limits.hello.per", "ip");
    all.put("weir.limits.hello.limit", "1/hour");
    all.put("management.endpoints.web.exposure.include", "weir");
    return all;
  }

  private static <C extends GenericApplicationContext> C configured(C context) {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", properties()));
    return context;
  }

  @Test
  @CompileWithForkedClassLoader
  void servletApplicationLimits() {
    // Its class loader is another one than that of earlier tests, whose Tomcat has set the factory.
    TomcatURLStreamHandlerFactory.disable();
    AnnotationConfigServletWebServerApplicationContext source =
        configured(new AnnotationConfigServletWebServerApplicationContext());
    source.register(Apps.Plain.class, Apps.Endpoints.class);
    assertLimits(source, configured(new ServletWebServerApplicationContext()));
  }

  @Test
  @CompileWithForkedClassLoader
  void webFluxApplicationLimits() {
    AnnotationConfigReactiveWebServerApplicationContext source =
        configured(new AnnotationConfigReactiveWebServerApplicationContext());
    source.register(Apps.Plain.class, Apps.Endpoints.class);
    assertLimits(source, configured(new ReactiveWebServerApplicationContext()));
  }

  private void assertLimits(GenericApplicationContext source, GenericApplicationContext target) {
    TestGenerationContext generated = new TestGenerationContext();
    new ApplicationContextAotGenerator().processAheadOfTime(source, generated);
    generated.writeGeneratedContent();
    TestCompiler.forSystem().with(generated).compile(compiled -> assertLimits(compiled, target));
    assertHints(generated.getRuntimeHints());
  }

  @SuppressWarnings("unchecked")
  private void assertLimits(Compiled compiled, GenericApplicationContext target) {
    ApplicationContextInitializer<GenericApplicationContext> initializer =
        compiled.getInstance(ApplicationContextInitializer.class);
    initializer.initialize(target);
    new ServerPortInfoApplicationContextInitializer().initialize(target);
    target.refresh();
    try (Running app = new Running(target)) {
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(429);
      assertThat(http.get(app, "/actuator/weir").body()).contains("\"name\":\"hello\"");
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertHints(RuntimeHints hints) {
    for (String script : WeirRuntimeHints.SCRIPTS) {
      assertThat(RuntimeHintsPredicates.resource().forResource(script)).accepts(hints);
    }
    for (Class<?> type : List.of(WeirProperties.class, WeirProperties.Web.class)) {
      assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints);
    }
  }

  @Test
  void hintsNameEveryScript() throws IOException {
    Path scripts = Repository.path("stores/redis/src/main/resources");
    try (Stream<Path> files = Files.walk(scripts)) {
      assertThat(files.filter(Files::isRegularFile).map(scripts::relativize).map(Path::toString))
          .containsExactlyInAnyOrderElementsOf(WeirRuntimeHints.SCRIPTS);
    }
  }

  @Test
  void hintsNameTypesThatExist() {
    for (String type : WeirRuntimeHints.TYPES) {
      assertThat(ClassUtils.isPresent(type, getClass().getClassLoader())).as(type).isTrue();
    }
  }
}
