package dev.weir.cli;

import dev.weir.key.KeySpace;
import dev.weir.yaml.Problem;
import dev.weir.yaml.RuleSet;
import dev.weir.yaml.RulesLoader;
import dev.weir.yaml.RulesRefused;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what rules make of one request, and why. */
@Command(
    name = "explain",
    description = {
      "Shows which rules apply to a request, whom each counts, by which key, with which limit;"
          + " and why the others do not apply.",
      "Of a running server it shows how the counters stand as well. Nothing is counted."
    },
    customSynopsis = {
      "weir explain FILE|DIR --request 'METHOD PATH' [OPTION]...",
      "       weir explain --server URL --request 'METHOD PATH' [OPTION]..."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Examples:",
      "  weir explain rules.yaml --request 'POST /login' --header 'X-API-Key: k'",
      "  weir explain rules.yaml --request 'GET /api/trips/history' --peer 10.0.0.7 \\",
      "    --header 'X-Forwarded-For: 203.0.113.7'",
      "  weir explain rules/ --entry tenant=acme --entry job=export",
      "  weir explain --server http://127.0.0.1:6070 --request 'POST /login'"
    })
final class ExplainCommand implements Callable<Integer> {
  private final Terminal out;
  private final Terminal err;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE|DIR",
      description =
          "A rules file, a directory whose .yaml and .yml files are read as one, or - for standard"
              + " input.")
  private @Nullable Path rules;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "Ask a running server, at its address for administration, instead of a file.")
  private @Nullable String server;

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that administrators must show there.")
  private @Nullable String adminTokenEnv;

  @Option(
      names = "--request",
      paramLabel = "'METHOD PATH'",
      description = "The request, such as 'POST /login'.")
  private @Nullable String request;

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "A header of the request; give as many as you like.")
  private List<String> headers = List.of();

  @Option(
      names = "--peer",
      paramLabel = "IP",
      defaultValue = "127.0.0.1",
      description = "Where the connection comes from: ${DEFAULT-VALUE} if not given.")
  private String peer = "";

  @Option(names = "--host", paramLabel = "HOST", description = "Short for a Host header.")
  private @Nullable String host;

  @Option(
      names = "--entry",
      paramLabel = "NAME=VALUE",
      description = "A descriptor entry, for callers that are not HTTP.")
  private List<String> entries = List.of();

  @Option(
      names = "--key-secret-file",
      paramLabel = "FILE",
      description =
          "The secret of your servers, so that keys are theirs: 16 bytes or 32 hex digits.")
  private @Nullable Path keySecret;

  @Option(
      names = "--show-values",
      description = "Show headers, cookies, token claims and entries in full.")
  private boolean showValues;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  ExplainCommand(Terminal out, Terminal err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    AskedRequest asked;
    Map<String, String> given;
    LiveExplain live;
    try {
      live = server == null ? null : live(server);
      given = AskedRequest.entries(entries);
      asked = asked();
    } catch (IllegalArgumentException e) {
      throw Trouble.usage(spec, e);
    }
    if (live != null) {
      print(live.ask(asked, given));
      return Exit.OK;
    }
    if (rules == null || adminTokenEnv != null) {
      String what = rules == null ? "nothing to explain" : "--admin-token-env without --server";
      String message = what + " (expected: a rules file, or --server)";
      throw Trouble.usage(spec, new IllegalArgumentException(message));
    }
    KeySpace keys = KeySecret.keys(keySecret);
    try {
      RuleSet set = new RulesLoader(keys, environment).load(Input.rules(rules));
      print(Explained.of(set, asked, given));
      return Exit.OK;
    } catch (RulesRefused e) {
      e.problems().stream().map(Problem::toString).forEach(err::line);
      return Exit.REFUSED;
    }
  }

  private LiveExplain live(String url) {
    if (rules != null) {
      throw AskedRequest.refused("--server", url + " and " + rules, "a server or a file, not both");
    }
    if (keySecret != null) {
      throw AskedRequest.refused(
          "--key-secret-file", keySecret.toString(), "none with --server, which has its own");
    }
    String token = adminTokenEnv == null ? null : environment.get(adminTokenEnv);
    if (adminTokenEnv != null && (token == null || !token.matches("[!-~]+"))) {
      throw AskedRequest.refused(
          "--admin-token-env", adminTokenEnv, "a variable that is set, to a token in ASCII");
    }
    return new LiveExplain(Asker.at("--server", url), token);
  }

  private @Nullable AskedRequest asked() {
    if (request == null && !entries.isEmpty()) {
      return null;
    }
    if (request == null) {
      String expected = "a method and a path, such as 'POST /login'; or --entry";
      throw new IllegalArgumentException("--request: nothing (expected: " + expected + ")");
    }
    return AskedRequest.of(request, headers, host, peer);
  }

  private void print(Map<String, Object> explained) {
    Values values = new Values(showValues);
    if (json) {
      out.json(LiveExplain.hidden(explained, values));
    } else {
      new LiveText(out, values, explained).print();
    }
  }

  private void print(Explained explained) {
    Values values = new Values(showValues);
    if (json) {
      out.json(ExplainJson.of(explained, values, keySecret != null));
    } else {
      new ExplainText(out, explained, values).print(keySecret != null);
    }
  }
}
