package dev.weir.cli;

import dev.weir.http.Ip;
import java.net.http.HttpRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a running server about one request, as a gateway would. */
@Command(
    name = "check",
    description = {
      "Asks a running server whether a request may pass, as a gateway would, and says what it"
          + " answered. The request is counted.",
      "Exits with 0 if it is allowed, 1 if it is denied, 2 if there is no answer."
    },
    customSynopsis = "weir check URL METHOD PATH [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Examples:",
      "  weir check http://127.0.0.1:8080 GET /hello",
      "  weir check 127.0.0.1:8080 POST /login --client 203.0.113.7 \\",
      "    --header 'X-API-Key: k'"
    })
final class CheckCommand implements Callable<Integer> {
  /** Set from the other arguments. */
  private static final Set<String> OURS =
      Set.of("x-forwarded-method", "x-forwarded-uri", "x-forwarded-host");

  private static final String FOR = "X-Forwarded-For";

  private final Terminal out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "URL", description = "Where the server takes traffic.")
  private String url = "";

  @Parameters(index = "1", paramLabel = "METHOD", description = "Method of the request.")
  private String method = "";

  @Parameters(index = "2", paramLabel = "PATH", description = "Its path, with the query.")
  private String path = "";

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "A header of the request; give as many as you like.")
  private List<String> headers = List.of();

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "The host that was asked for; the server's own if not given.")
  private @Nullable String host;

  @Option(
      names = "--client",
      paramLabel = "IP",
      description =
          "The client's address, told as X-Forwarded-For; believed if we are a trusted proxy.")
  private @Nullable String client;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  CheckCommand(Terminal out) {
    this.out = out;
  }

  @Override
  public Integer call() throws Failure {
    Asker asker;
    AskedRequest asked;
    HttpRequest.Builder question;
    try {
      asker = Asker.at("URL", url);
      asked = AskedRequest.of("METHOD", method, "PATH", path, headers, host, address());
      question = question(asker, asked);
    } catch (IllegalArgumentException e) {
      throw Trouble.usage(spec, e);
    }
    CheckAnswer answer = answer(asker, asker.send(question));
    if (json) {
      out.json(answer.json());
    } else {
      String request = asked.method() + " " + asked.target();
      new CheckText(out, InstantSource.system()).print(request, answer);
    }
    return answer.allowed() ? Exit.OK : Exit.DENIED;
  }

  private String address() {
    if (client == null) {
      return "127.0.0.1";
    }
    Ip address = Ip.parse(client);
    if (address == null) {
      throw AskedRequest.refused("--client", client, "an IP address, such as 203.0.113.7");
    }
    return address.toString();
  }

  private HttpRequest.Builder question(Asker asker, AskedRequest asked) {
    HttpRequest.Builder question = asker.request("/v1/check").GET();
    question.setHeader("X-Forwarded-Method", asked.method());
    question.setHeader("X-Forwarded-Uri", AskedRequest.ascii(asked.target()));
    header(question, "X-Forwarded-Host", host(asker, asked));
    if (client != null) {
      question.setHeader(FOR, asked.peer());
    }
    for (Map.Entry<String, List<String>> one : asked.headers().entrySet()) {
      String name = one.getKey().toLowerCase(Locale.ROOT);
      if (OURS.contains(name) || (client != null && name.equalsIgnoreCase(FOR))) {
        String expected = "METHOD, PATH, --host and --client, which say it";
        throw AskedRequest.refused("--header", one.getKey(), expected);
      }
      if (!name.equals("host")) {
        one.getValue().forEach(value -> header(question, one.getKey(), value));
      }
    }
    return question;
  }

  /** A gateway always tells a host; that of the server stands for one that nobody named. */
  private static String host(Asker asker, AskedRequest asked) {
    if (asked.authority() != null) {
      return asked.authority();
    }
    String[] parts = asked.target().split("[/?#]", 4); // http://host/path
    return asked.target().startsWith("http") ? parts[2] : asker.authority();
  }

  private static void header(HttpRequest.Builder question, String name, String value) {
    if (!value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'))) {
      throw AskedRequest.refused("--header", name + ": " + value, "a value in ASCII");
    }
    try {
      question.header(name, value);
    } catch (IllegalArgumentException e) {
      throw AskedRequest.refused("--header", name, "one that a gateway passes on");
    }
  }

  /** Only Weir answers like this; what else runs there must not pass for an allowance. */
  private static CheckAnswer answer(Asker asker, Asker.Reply reply) throws Failure {
    CheckAnswer answer = CheckAnswer.of(reply);
    boolean allowed = reply.status() == CheckAnswer.ALLOWED && reply.body().isEmpty();
    if (!allowed && !answer.denied()) {
      String detail = answer.detail() == null ? "" : ", " + answer.detail();
      String expected = "the empty 200, the 429 or the 403 of a Weir server";
      throw asker.failed("answered " + reply.status() + detail + " (expected: " + expected + ")");
    }
    return answer;
  }
}
