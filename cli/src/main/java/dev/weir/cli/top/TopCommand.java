package dev.weir.cli.top;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.AdminOptions;
import dev.weir.cli.terminal.Json;
import dev.weir.cli.terminal.Screen;
import dev.weir.cli.terminal.Terminal;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code weir top} command: shows what a running server decides, as it happens. */
@Command(
    name = "top",
    description = {
      "Shows what a running server decides, whom it denies and why, as it happens: the dashboard in"
          + " a terminal. q ends it, k shows other callers, w another window of time.",
      "Prints the page once if the output is no terminal. Exits with 1 if the server did not decide"
          + " requests by its rules then, with 2 if it cannot be reached."
    },
    customSynopsis = "weir top [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir top",
      "  weir top --kind near-limit --window hour --rule login",
      "  weir top --server http://10.0.0.5:6070 --admin-token-env WEIR_VIEWER",
      "  weir top --json | jq .status"
    })
public final class TopCommand implements Callable<Integer> {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final int USUAL_COLUMNS = 80;

  private final Terminal out;
  private final Map<String, String> environment;
  private final boolean interactive;
  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private AdminOptions admin = new AdminOptions();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      completionCandidates = Kinds.class,
      description = "Which callers: denied (the default), shadow-denied, near-limit or allowed.")
  private String kind = CallerQuery.DEFAULT.kind();

  @Option(
      names = "--window",
      paramLabel = "TIME",
      completionCandidates = Windows.class,
      description = "Callers of the last minute (the default) or hour.")
  private String window = CallerQuery.DEFAULT.window();

  @Option(
      names = "--rule",
      paramLabel = "RULE",
      description = "Only this rule and its callers; default all.")
  private String rule = CallerQuery.DEFAULT.rule();

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      completionCandidates = Scopes.class,
      description = "Callers of the fleet (the default) or of this server.")
  private String scope = CallerQuery.DEFAULT.scope();

  @Option(names = "--once", description = "Print the page once, and exit.")
  private boolean once;

  @Option(names = "--json", description = "Print the data of the page once, as a JSON document.")
  private boolean json;

  /** The values of {@code --kind}, for completion. */
  static final class Kinds extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Kinds() {
      super(CallerQuery.KINDS);
    }
  }

  /** The values of {@code --window}, for completion. */
  static final class Windows extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Windows() {
      super(CallerQuery.WINDOWS);
    }
  }

  /** The values of {@code --scope}, for completion. */
  static final class Scopes extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Scopes() {
      super(CallerQuery.SCOPES);
    }
  }

  /**
   * Creates the command.
   *
   * @param interactive whether {@code out} is the terminal of a person
   */
  public TopCommand(Terminal out, Map<String, String> environment, boolean interactive) {
    this.out = out;
    this.environment = environment;
    this.interactive = interactive;
  }

  @Override
  public Integer call() throws Failure, InterruptedException {
    AdminClient client;
    CallerQuery query;
    try {
      query =
          new CallerQuery(
              Flag.choice("--kind", kind, CallerQuery.KINDS),
              Flag.choice("--window", window, CallerQuery.WINDOWS),
              rule,
              Flag.choice("--scope", scope, CallerQuery.SCOPES));
      client = admin.client(environment);
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    try (LiveStream stream = new LiveStream(client, clock);
        SidePages side = new SidePages(client, query)) {
      stream.start();
      LiveState first = stream.first(FIRST);
      side.read();
      Page page = new Page(client.authority(), ZoneId.systemDefault());
      if (interactive && !once && !json) {
        side.start();
        new LiveView(out, page, stream, side, clock).run(first);
        return ExitCode.OK;
      }
      if (json) {
        out.json(document(client, first, side.content()));
      } else {
        Screen.Size size = new Screen.Size(Integer.MAX_VALUE, columns());
        page.lines(first, side.content(), first.received(), "", size)
            .forEach(line -> out.line(line.toArray()));
      }
      return Page.decides(first) ? ExitCode.OK : ExitCode.UNDECIDED;
    }
  }

  private int columns() {
    String given = environment.getOrDefault("COLUMNS", "");
    if (given.matches("[1-9][0-9]{1,3}")) {
      return Integer.parseInt(given);
    }
    return interactive ? Screen.size().columns() : USUAL_COLUMNS;
  }

  /** The second as the server sent it, without the history, which only a chart needs. */
  private static Map<String, @Nullable Object> document(
      AdminClient client, LiveState state, SidePages.Content side) throws Failure {
    Map<String, @Nullable Object> document = Json.object();
    state.second().object().forEach((name, value) -> document.put(String.valueOf(name), value));
    document.remove("history");
    if (side.callers() != null) {
      document.put("callers", objects(client, side.callers()));
    }
    if (side.actions() != null) {
      document.put("actions", objects(client, side.actions()));
    }
    return document;
  }

  private static Object objects(AdminClient client, SidePages.Rows rows) throws Failure {
    if (!rows.problem().isEmpty()) {
      throw new Failure(ExitCode.USAGE, client.authority() + ": " + rows.problem());
    }
    return rows.rows().stream().map(Fields::object).toList();
  }
}
