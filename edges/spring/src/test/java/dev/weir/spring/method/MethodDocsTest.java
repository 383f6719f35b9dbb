package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Snippet;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The annotated methods of the documentation run as printed, with the properties beside them. */
@Timeout(120)
class MethodDocsTest {
  private static final String IMPORTS =
      "import dev.weir.spring.method.*; import org.springframework.stereotype.Service;"
          + "import org.springframework.context.*; import reactor.core.publisher.*;"
          + "import java.util.concurrent.*;";

  private static final String USE_MAIL =
      "try (ConfigurableApplicationContext context ="
          + " SnippetApplication.start(\"%s\", List.of(), Mail.class)) {"
          + "  Mail mail = context.getBean(Mail.class);"
          + "  Map<String, Integer> counted = new TreeMap<>();"
          + "  for (int i = 0; i < 60; i++) { counted.merge(%s, 1, Integer::sum); }"
          + "  System.out.println(\"counted \" + counted);";

  @TempDir private Path folder = Path.of("");

  @Test
  void mailIsSentQueuedAndExported() throws Exception {
    Snippet mail = Snippet.in(Path.of("docs/spring-methods.md")).get(0);
    String use = USE_MAIL.formatted("spring-methods.md", "mail.send(\"acme\", \"hello\")");
    String export = "System.out.println(mail.export(\"acme\").block()); }";
    assertThat(mail.run(folder, IMPORTS, "", use + export, ""))
        .contains("counted {queued=10, sent=50}", "exported\n");
  }

  @Test
  void searchesCostTheirPages() throws Exception {
    List<Snippet> snippets = Snippet.in(Path.of("docs/spring-methods.md"));
    assertThat(snippets).hasSize(2);
    String types =
        "public record User(String id) {} public record Query(int pages) {}"
            + "public static class Plans { public String of(User user) { return \"gold\"; } }";
    String use =
        "try (ConfigurableApplicationContext context ="
            + " SnippetApplication.start(\"spring-methods.md\", List.of("
            + "\"calls.search.limit=5/hour\"), Search.class, Named.class)) {"
            + "  Search search = context.getBean(Search.class);"
            + "  System.out.println(search.find(new User(\"ann\"), new Query(4)).join());"
            + "  System.out.println(search.find(new User(\"ann\"), new Query(2))"
            + ".handle((found, failure) -> failure.getMessage()).join()); }";
    String named =
        "@org.springframework.context.annotation.Configuration public static class Named {"
            + "@org.springframework.context.annotation.Bean public Plans plans() {"
            + "return new Plans(); } }";
    assertThat(snippets.get(1).run(folder, IMPORTS, "", use, types + named))
        .contains("4 pages for ann\n", ".find: denied by search: LIMIT_REACHED");
  }

  @Test
  void annotatedMethodsOfThePageAboutPeersRun() throws Exception {
    List<Snippet> annotated =
        Snippet.in(Path.of("docs/coming-from.md")).stream()
            .filter(snippet -> snippet.code().contains("@Service"))
            .toList();
    assertThat(annotated).hasSize(2);
    String use = USE_MAIL.formatted("coming-from.md", "mail.send(\"acme\")") + "}";
    assertThat(annotated.get(0).run(folder, IMPORTS, "", use, ""))
        .contains("counted {queued=10, sent=50}");
    String peer =
        "import org.springframework.stereotype.Service;"
            + "import io.github.resilience4j.ratelimiter.RequestNotPermitted;"
            + "import io.github.resilience4j.ratelimiter.annotation.RateLimiter;";
    String call = "System.out.println(new Mail().send(\"acme\"));";
    assertThat(annotated.get(1).run(folder, peer, "", call, "")).isEqualTo("sent\n");
  }
}
