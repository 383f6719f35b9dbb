package dev.weir.cli.check;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.ServerClient;
import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Terminal;
import dev.weir.http.address.Ip;
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

/** The {@code weir check} command: sends a request to a running server, as a gateway would. */
@Command(
    name = "check",
    description = {
      "Asks a running server whether a request may pass, as a gateway would, and prints the"
          + " answer. The request is counted.",
      "Exits with 0 if it is allowed, 1 if it is denied, 2 if there is no answer."
    },
    customSynopsis = "weir check URL METHOD PATH [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir check http://127.0.0.1:8080 GET /hello",
      "  weir check 127.0.0.1:8080 POST /login --client 203.0.113.7 \\",
      "    --header 'X-API-Key: k'"
    })
public final class CheckCommand implements Callable<Integer> {
  /** Headers that the other arguments set. */
  private static final Set<String> RESERVED_HEADERS =
      Set.of("x-forwarded-method", "x-forwarded-uri", "x-forwarded-host");

  private static final String FORWARDED_FOR = "X-Forwarded-For";

  private final Terminal out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "URL",
      description = "Address of the server's traffic port.")
  private String url = "";

  @Parameters(index = "1", paramLabel = "METHOD", description = "Method of the request.")
  private String method = "";

  @Parameters(index = "2", paramLabel = "PATH", description = "Its path, with the query.")
  private String path = "";

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "A header of the request; repeatable.")
  private List<String> headers = List.of();

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Host of the request; the server's own if not given.")
  private @Nullable String host;

  @Option(
      names = "--client",
      paramLabel = "IP",
      description =
          "Client address, sent as X-Forwarded-For; the server uses it if this machine is a trusted"
              + " proxy.")
  private @Nullable String client;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  /** Creates the command. */
  public CheckCommand(Terminal out) {
    this.out = out;
  }

  @Override
  public Integer call() throws Failure {
    ServerClient server;
    SyntheticRequest request;
    HttpRequest.Builder check;
    try {
      server = ServerClient.at("URL", url);
      request = SyntheticRequest.of("METHOD", method, "PATH", path, headers, host, address());
      check = checkRequest(server, request);
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    CheckAnswer answer = answer(server, server.send(check));
    if (json) {
      out.json(answer.json());
    } else {
      String line = request.method() + " " + request.target();
      new CheckText(out, InstantSource.system()).print(line, answer);
    }
    return answer.allowed() ? ExitCode.OK : ExitCode.DENIED;
  }

  private String address() {
    if (client == null) {
      return "127.0.0.1";
    }
    Ip address = Ip.parse(client);
    if (address == null) {
      throw Flag.invalid("--client", client, "an IP address, such as 203.0.113.7");
    }
    return address.toString();
  }

  private HttpRequest.Builder checkRequest(ServerClient server, SyntheticRequest request) {
    HttpRequest.Builder check = server.request("/v1/check").GET();
    check.setHeader("X-Forwarded-Method", request.method());
    check.setHeader("X-Forwarded-Uri", SyntheticRequest.ascii(request.target()));
    header(check, "X-Forwarded-Host", host(server, request));
    if (client != null) {
      check.setHeader(FORWARDED_FOR, request.peer());
    }
    for (Map.Entry<String, List<String>> one : request.headers().entrySet()) {
      String name = one.getKey().toLowerCase(Locale.ROOT);
      if (RESERVED_HEADERS.contains(name)
          || (client != null && name.equalsIgnoreCase(FORWARDED_FOR))) {
        String expected = "METHOD, PATH, --host and --client, which set it";
        throw Flag.invalid("--header", one.getKey(), expected);
      }
      if (!name.equals("host")) {
        one.getValue().forEach(value -> header(check, one.getKey(), value));
      }
    }
    return check;
  }

  /** The host of the request, or that of the server, because a gateway always sends one. */
  private static String host(ServerClient server, SyntheticRequest request) {
    if (request.authority() != null) {
      return request.authority();
    }
    String[] parts = request.target().split("[/?#]", 4); // http://host/path
    return request.target().startsWith("http") ? parts[2] : server.authority();
  }

  private static void header(HttpRequest.Builder check, String name, String value) {
    if (!value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'))) {
      throw Flag.invalid("--header", name + ": " + value, "a value in ASCII");
    }
    try {
      check.header(name, value);
    } catch (IllegalArgumentException e) {
      throw Flag.invalid("--header", name, "one that a gateway passes on");
    }
  }

  /**
   * Parses a response, and rejects one that no Weir server sends, so that another server there does
   * not pass for an allowed request.
   */
  private static CheckAnswer answer(ServerClient server, ServerClient.Reply reply) throws Failure {
    CheckAnswer answer = CheckAnswer.of(reply);
    boolean allowed = reply.status() == CheckAnswer.ALLOWED && reply.body().isEmpty();
    if (!allowed && !answer.denied()) {
      String detail = answer.problem().detail() == null ? "" : ", " + answer.problem().detail();
      String expected = "the empty 200, the 429 or the 403 of a Weir server";
      throw server.failure("answered " + reply.status() + detail + " (expected: " + expected + ")");
    }
    return answer;
  }
}
