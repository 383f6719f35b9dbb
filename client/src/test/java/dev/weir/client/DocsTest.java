package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Snippet;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of docs/client.md compile and run as printed, against a real server. */
class DocsTest {
  private static final String IMPORTS =
      "import dev.weir.client.*; import dev.weir.client.spring.*;"
          + "import dev.weir.client.dispatch.RequestNotSentException; import java.net.URI;"
          + "import java.net.http.*; import java.net.http.HttpResponse.BodyHandlers;"
          + "import org.springframework.web.client.RestClient;"
          + "import org.springframework.web.reactive.function.client.WebClient;";
  private static final String CATCH = "} catch (Exception e) { throw new AssertionError(e); }";

  @TempDir private Path folder = Path.of("");

  private String run(Snippet snippet, ScriptedServer server, String before, String after)
      throws Exception {
    String url = "try { String url = \"" + server.uri() + "\";";
    return snippet.run(folder, IMPORTS, url + before, after + CATCH, "");
  }

  @Test
  void clientsOfTheJdkAndOfSpringAreMadeAsPrinted() throws Exception {
    List<Snippet> snippets = Snippet.in(Path.of("docs/client.md"));
    assertThat(snippets).hasSize(4);
    try (ScriptedServer server = new ScriptedServer()) {
      assertThat(run(snippets.get(0), server, "", "System.out.println(response.body());"))
          .isEqualTo("status 200\n");
      String rest = "System.out.println(client.get().uri(url).retrieve().body(String.class));";
      assertThat(run(snippets.get(1), server, "", rest)).isEqualTo("status 200\n");
      String web =
          "System.out.println(client.get().uri(url).retrieve().bodyToMono(String.class).block());";
      assertThat(run(snippets.get(2), server, "", web)).isEqualTo("status 200\n");
    }
  }

  @Test
  void requestThatIsNotSentIsCaughtAsPrinted() throws Exception {
    Snippet caught = Snippet.in(Path.of("docs/client.md")).get(3);
    ScriptedServer.Answer spent =
        ScriptedServer.answer(200).with("RateLimit", "\"api\";r=0;t=3600");
    try (ScriptedServer server = new ScriptedServer().otherwise(spent)) {
      String before =
          "WeirClient client = WeirClient.around(HttpClient.newHttpClient()).build();"
              + "HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();"
              + "client.send(request, BodyHandlers.ofString());";
      // Held back for a minute at most; a part of the first second may be over.
      assertThat(run(caught, server, before, ""))
          .matches("LIMIT, retry after [0-5]?[0-9] s\n|LIMIT, retry after 60 s\n");
    }
  }
}
