package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.Repository;
import dev.weir.testkit.Snippet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/grpc.md work as printed. */
class DocsTest {
  private static final Path PAGE = Path.of("docs/grpc.md");
  private static final String IMPORTS =
      "import dev.weir.library.*; import dev.weir.library.web.*; import dev.weir.grpc.*;"
          + "import io.grpc.*; import java.nio.file.*; import java.util.function.*;";

  @TempDir private Path folder = Path.of("");

  private static RulesLimiter rules(Weir weir) throws Exception {
    Matcher yaml =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Repository.path(PAGE.toString())));
    assertThat(yaml.find()).isTrue();
    return weir.rules(RulesText.of("rules.yaml", yaml.group(1)));
  }

  @Test
  void javaExamplesCompile() throws Exception {
    List<Snippet> snippets = Snippet.in(PAGE);
    assertThat(snippets).hasSize(3);
    String end = "}; System.out.println(\"compiled\");";
    String server = "BiConsumer<ServerBuilder<?>, BindableService> use = (builder, service) -> {";
    assertThat(snippets.get(0).run(folder, IMPORTS, server, end, "")).isEqualTo("compiled\n");
    String built = "Consumer<RulesLimiter> use = limiter -> {";
    String user = "static final Context.Key<String> USER = Context.key(\"user\");";
    assertThat(snippets.get(1).run(folder, IMPORTS, built, end, user)).isEqualTo("compiled\n");
    String client = "BiConsumer<Weir, Channel> use = (weir, channel) -> {";
    assertThat(snippets.get(2).run(folder, IMPORTS, client, end, "")).isEqualTo("compiled\n");
  }

  @Test
  void rulesOfTheExampleLimitCallsPerTenant() throws Exception {
    try (Weir weir = Weir.inMemory()) {
      RulesLimiter limiter = rules(weir);
      WebRequest export = WebRequest.of("POST", "/shop.Orders/Export").header("X-Tenant", "a");
      assertThat(limiter.admit(export).allowed()).isTrue();
      assertThat(limiter.admit(export).allowed()).isTrue();
      assertThat(limiter.admit(export).allowed()).isFalse();
      WebRequest list = WebRequest.of("POST", "/shop.Orders/List").header("X-Tenant", "a");
      assertThat(limiter.admit(list).allowed()).isTrue();
    }
  }
}
