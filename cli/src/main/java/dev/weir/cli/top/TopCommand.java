package dev.weir.cli.top;

import dev.weir.cli.command.AdminClient;
import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Version;
import dev.weir.cli.options.AdminOptions;
import dev.weir.cli.terminal.Json;
import dev.weir.cli.terminal.Screen;
import dev.weir.cli.terminal.Terminal;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
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
          + " a terminal. q ends it.",
      "Prints the page once if the output is no terminal. Exits with 2 if the server cannot be"
          + " reached."
    },
    customSynopsis = "weir top [OPTION]...",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir top",
      "  weir top --server http://10.0.0.5:6070 --admin-token-env WEIR_VIEWER_TOKEN",
      "  weir top --json | jq .status"
    })
public final class TopCommand implements Callable<Integer> {
  /** What is older than this does not look live. */
  static final Duration LATE = Duration.ofMillis(3_500);

  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration KEYS = Duration.ofMillis(250);
  private static final Duration SIZES = Duration.ofSeconds(1);

  private final Terminal out;
  private final Map<String, String> environment;
  private final boolean interactive;
  private final InstantSource clock = InstantSource.system();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private AdminOptions admin = new AdminOptions();

  @Option(names = "--once", description = "Print the page once, and exit.")
  private boolean once;

  @Option(names = "--json", description = "Print the data of the page once, as a JSON document.")
  private boolean json;

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
    try {
      client = admin.client(environment);
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
    Page page = new Page(client.authority(), ZoneId.systemDefault());
    try (LiveStream stream = new LiveStream(client, clock)) {
      stream.start();
      LiveState first = stream.await(null, FIRST);
      if (first == null) {
        throw new Failure(
            ExitCode.USAGE, client.authority() + ": no events within " + FIRST.toSeconds() + " s");
      }
      if (json) {
        out.json(document(first));
      } else if (once || !interactive) {
        page.lines(first, clock.instant(), "", Integer.MAX_VALUE)
            .forEach(line -> out.line(line.toArray()));
      } else {
        show(stream, page, first);
      }
    }
    return ExitCode.OK;
  }

  /** The second as the server sent it, without the parts that only a chart needs. */
  private static Map<String, @Nullable Object> document(LiveState state) {
    Map<String, @Nullable Object> document = Json.object();
    state
        .second()
        .object()
        .forEach(
            (name, value) -> {
              if (!"history".equals(name)) {
                document.put(String.valueOf(name), value);
              }
            });
    if (state.actions() != null) {
      document.put("actions", state.actions().stream().map(Fields::object).toList());
    }
    return document;
  }

  private void show(LiveStream stream, Page page, LiveState first)
      throws Failure, InterruptedException {
    try (Screen screen = Screen.open(out)) {
      LiveState state = first;
      Screen.Size size = screen.size();
      var sized = clock.instant();
      while (!screen.isQuitPressed()) {
        List<List<Object>> lines =
            page.lines(state, clock.instant(), stream.problem(), size.lines());
        screen.show(lines, size);
        LiveState next = stream.await(state, KEYS);
        state = next == null ? state : next;
        stream.interruptSilence();
        if (clock.instant().isAfter(sized.plus(SIZES))) {
          sized = clock.instant();
          size = screen.size();
        }
      }
    }
  }
}
