package dev.weir.cli.explain;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.command.ServerClient;
import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.RequestOptions;
import dev.weir.cli.store.KeySecretSource;
import dev.weir.cli.terminal.Terminal;
import dev.weir.key.KeySpace;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.yaml.Problem;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir explain} command: explains how rules apply to a request. */
@Command(
    name = "explain",
    description = {
      "Shows which rules apply to a request, whom each counts, by which key, with which limit;"
          + " and why the other rules do not apply.",
      "Of a running server, it also shows the state of the counters. Nothing is counted."
    },
    customSynopsis = {
      "weir explain FILE|DIR --request 'METHOD PATH' [OPTION]...",
      "       weir explain --server URL --request 'METHOD PATH' [OPTION]..."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir explain rules.yaml --request 'POST /login' --header 'X-API-Key: k'",
      "  weir explain rules.yaml --request 'GET /api/trips/history' --peer 10.0.0.7 \\",
      "    --header 'X-Forwarded-For: 203.0.113.7'",
      "  weir explain rules/ --entry tenant=acme --entry job=export",
      "  weir explain --server http://127.0.0.1:6070 --request 'POST /login'"
    })
public final class ExplainCommand implements Callable<Integer> {
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
      description = "Query a running server, at its administration address, instead of a file.")
  private @Nullable String server;

  @Option(
      names = "--admin-token-env",
      paramLabel = "NAME",
      description = "Environment variable with the token that its administrators must send.")
  private @Nullable String adminTokenEnv;

  @Mixin private final RequestOptions described = new RequestOptions();

  @Option(
      names = "--key-secret-file",
      paramLabel = "FILE",
      description = "Key secret of your servers, for the same keys: 16 bytes or 32 hex digits.")
  private @Nullable Path keySecret;

  @Option(
      names = "--show-values",
      description = "Show headers, cookies, token claims and entries in full.")
  private boolean showValues;

  @Option(names = "--json", description = "Print a JSON document instead of text.")
  private boolean json;

  /** Creates the command. */
  public ExplainCommand(Terminal out, Terminal err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  @Override
  public Integer call() throws Failure {
    Optional<SyntheticRequest> synthetic;
    Map<String, String> descriptor;
    ExplainClient client;
    try {
      client = server == null ? null : client(server);
      descriptor = described.entries();
      synthetic = described.request();
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    if (client != null) {
      print(client.explain(synthetic, descriptor));
      return ExitCode.OK;
    }
    if (rules == null || adminTokenEnv != null) {
      String what = rules == null ? "nothing to explain" : "--admin-token-env without --server";
      String message = what + " (expected: a rules file, or --server)";
      throw ErrorReporter.usageError(spec, new IllegalArgumentException(message));
    }
    KeySpace keys = KeySecretSource.keys(keySecret);
    try {
      RuleSet set = new RulesLoader(keys, environment).load(Input.rules(rules));
      print(RequestExplanation.of(set, synthetic.orElse(null), descriptor));
      return ExitCode.OK;
    } catch (RulesRejected e) {
      e.problems().stream().map(Problem::toString).forEach(err::line);
      return ExitCode.REFUSED;
    }
  }

  private ExplainClient client(String url) {
    if (rules != null) {
      throw Flag.invalid("--server", url + " and " + rules, "a server or a file, not both");
    }
    if (keySecret != null) {
      throw Flag.invalid(
          "--key-secret-file", keySecret.toString(), "none with --server, which has its own");
    }
    String token = AdminClient.token(adminTokenEnv, environment);
    return new ExplainClient(new AdminClient(ServerClient.at("--server", url), token));
  }

  private void print(Map<String, Object> explained) {
    ValueRedactor redactor = new ValueRedactor(showValues);
    if (json) {
      out.json(ExplainClient.redacted(explained, redactor));
    } else {
      new LiveExplanationText(out, redactor, explained).print();
    }
  }

  private void print(RequestExplanation explained) {
    ValueRedactor redactor = new ValueRedactor(showValues);
    if (json) {
      out.json(ExplainJson.of(explained, redactor, keySecret != null));
    } else {
      new ExplainText(out, explained, redactor).print(keySecret != null);
    }
  }
}
