package dev.weir.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.weir.testkit.Repository;
import dev.weir.testkit.Snippet;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The test classes of docs/testing.md compile and pass as printed. */
@Timeout(300)
class DocsTest {
  private static final Path PAGE = Path.of("docs/testing.md");
  private static final Pattern PROPERTIES =
      Pattern.compile("```properties\n(.*?)```", Pattern.DOTALL);

  private static final String IMPORTS =
      """
      import static dev.weir.test.assertions.WeirAssertions.assertThat;
      import static org.assertj.core.api.Assertions.assertThat;
      import dev.weir.*;
      import dev.weir.library.*;
      import dev.weir.rule.FailureMode;
      import dev.weir.test.*;
      import dev.weir.test.spring.*;
      import java.time.*;
      import java.util.concurrent.CompletableFuture;
      import org.junit.jupiter.api.Test;
      import org.junit.jupiter.api.extension.RegisterExtension;
      import org.springframework.beans.factory.annotation.Autowired;
      import org.springframework.boot.SpringBootConfiguration;
      import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
      import org.springframework.boot.test.context.SpringBootTest;
      import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
      """;

  private static final String APPLICATION =
      "package shop; @org.springframework.boot.autoconfigure.SpringBootApplication class Shop {}";

  @TempDir private Path folder = Path.of("");

  @Test
  void examplesCompileAndPass() throws Exception {
    List<Snippet> snippets = Snippet.in(PAGE);
    assertThat(snippets).hasSize(3);
    assertPasses(snippets.get(0), 2);
    assertPasses(snippets.get(1), 2);
    String page = Files.readString(Repository.path(PAGE.toString()));
    var properties = PROPERTIES.matcher(page);
    assertThat(properties.find()).isTrue();
    Files.writeString(folder.resolve("application.properties"), properties.group(1));
    assertPasses(snippets.get(2), 1);
  }

  private void assertPasses(Snippet snippet, int tests) throws Exception {
    String code = snippet.code();
    String name = code.replaceAll("(?s).*?\nclass (\\w+) .*|^class (\\w+) .*", "$1$2");
    Path test = folder.resolve(name + ".java");
    Files.writeString(test, "package shop;\n" + IMPORTS + code);
    Path application = Files.writeString(folder.resolve("Shop.java"), APPLICATION);
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      StringWriter problems = new StringWriter();
      boolean compiled =
          compiler
              .getTask(
                  problems,
                  files,
                  null,
                  List.of("-d", folder.toString(), "-proc:none"),
                  null,
                  files.getJavaFileObjects(test, application))
              .call();
      assertThat(compiled).as(problems.toString()).isTrue();
    }
    TestExecutionSummary summary = run("shop." + name);
    summary.getFailures().forEach(failure -> failure.getException().printStackTrace());
    assertThat(summary.getTestsFailedCount()).isZero();
    assertThat(summary.getTestsSucceededCount()).as(name).isEqualTo(tests);
  }

  private TestExecutionSummary run(String test) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URL[] compiled = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(compiled, before)) {
      thread.setContextClassLoader(loader);
      SummaryGeneratingListener summary = new SummaryGeneratingListener();
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectClass(loader.loadClass(test)))
                  .build(),
              summary);
      return summary.getSummary();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
