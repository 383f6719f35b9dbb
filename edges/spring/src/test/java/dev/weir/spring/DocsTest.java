package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import dev.weir.testkit.Repository;
import dev.weir.testkit.Snippet;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ByteArrayResource;

/** What docs/spring.md says is so. */
class DocsTest {
  private static final Path PAGE = Path.of("docs/spring.md");
  private static final Pattern PROPERTY = Pattern.compile("(?m)^\\| `(weir\\.[a-z.-]+)` \\|");
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder = Path.of("");

  private static String page() throws IOException {
    return Files.readString(Repository.path(PAGE.toString()));
  }

  @Test
  void tableHasEveryProperty() throws IOException {
    List<String> expected = new ArrayList<>();
    addProperties("weir", WeirProperties.class, expected);
    List<String> documented =
        PROPERTY.matcher(page()).results().map(found -> found.group(1)).toList();
    assertThat(documented).containsExactlyElementsOf(expected);
  }

  private static void addProperties(String prefix, Class<?> type, List<String> names) {
    for (RecordComponent component : type.getRecordComponents()) {
      String dashed = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      String name = prefix + "." + dashed;
      if (component.getType().isRecord()) {
        addProperties(name, component.getType(), names);
      } else {
        names.add(name);
      }
    }
  }

  @Test
  void editorsKnowEveryProperty() throws IOException {
    List<String> expected = new ArrayList<>();
    addProperties("weir", WeirProperties.class, expected);
    String metadata;
    try (InputStream in =
        getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      metadata = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    for (String name : expected) {
      assertThat(metadata).contains("\"name\": \"" + name + "\"");
    }
  }

  private static Map<String, String> properties(String text) {
    YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
    yaml.setResources(new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
    Map<String, String> properties = new HashMap<>();
    Objects.requireNonNull(yaml.getObject())
        .forEach((key, value) -> properties.put(key.toString(), value.toString()));
    return properties;
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  @ExtendWith(OutputCaptureExtension.class)
  void propertiesLimitAsPrinted(WebApplicationType type, CapturedOutput output) throws Exception {
    List<String> snippets =
        YAML.matcher(page()).results().map((MatchResult found) -> found.group(1)).toList();
    assertThat(snippets).hasSize(1);
    Map<String, String> properties = properties(snippets.get(0));
    assertThat(properties).containsEntry("weir.store.url", "redis://localhost:6379");
    try (RedisServer redis = RedisServer.start()) {
      properties.put("weir.store.url", redis.url());
      properties.put("weir.store.deadline", "30s");
      try (Running app = Apps.start(type, properties)) {
        HttpResponse<String> first = new Http().get(app, "/hello");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().allValues("RateLimit-Policy").toString())
            .contains("q=10;w=1", "q=1000;w=3600");
        assertThat(new Http().get(app, "/actuator/health").headers().map())
            .doesNotContainKey("ratelimit-policy");
      }
      assertThat(output).contains("Weir filter active, 2 rules, store Redis 127.0.0.1:");
    }
  }

  /** The filter that replaces the one of Bucket4j's starter. */
  @Test
  void filterOfThePageAboutPeersLimits() throws Exception {
    String peers = Files.readString(Repository.path("docs/coming-from.md"));
    List<String> filters =
        YAML.matcher(peers)
            .results()
            .map(found -> found.group(1))
            .filter(yaml -> yaml.contains("path: /api/**"))
            .toList();
    assertThat(filters).hasSize(1);
    Map<String, String> properties = properties(filters.get(0));
    try (Running app = Apps.start(WebApplicationType.SERVLET, properties)) {
      HttpResponse<String> first = new Http().get(app, "/api/orders");
      assertThat(first.headers().allValues("RateLimit-Policy").toString())
          .contains("q=10;w=1", "q=100;w=60");
    }
  }

  @Test
  void beansCompile() throws Exception {
    List<Snippet> snippets = Snippet.in(PAGE);
    assertThat(snippets).hasSize(1);
    String imports =
        "import dev.weir.library.web.*; import dev.weir.spring.*;"
            + "import org.springframework.context.annotation.*;";
    String before = "System.out.println(\"compiled\"); } static class Beans {";
    assertThat(snippets.get(0).run(folder, imports, before, "} static void end() {", ""))
        .isEqualTo("compiled\n");
  }
}
