package dev.weir.cli.completion;

import dev.weir.cli.command.ErrorReporter;
import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code weir completion} command: prints a completion script for a shell. */
@Command(
    name = "completion",
    description = "Prints a script that lets a shell complete commands, options and files.",
    customSynopsis = "weir completion bash|zsh",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  weir completion bash > ~/.local/share/bash-completion/completions/weir",
      "  weir completion zsh > ~/.weir-completion.zsh      # then source it in .zshrc",
      "  source <(weir completion bash)                    # for this shell only"
    })
public final class CompletionCommand implements Callable<Integer> {
  private static final List<String> SHELLS = List.of("bash", "zsh");

  private final Terminal out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "bash|zsh",
      completionCandidates = Shells.class,
      description = "The shell.")
  private String shell = "";

  /** The candidates of shell completion. */
  static final class Shells extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Shells() {
      super(SHELLS);
    }
  }

  /** Creates the command. */
  public CompletionCommand(Terminal out) {
    this.out = out;
  }

  @Override
  public Integer call() {
    try {
      var unused = Flag.choice("SHELL", shell, SHELLS);
      // The same script serves both shells; it detects which one runs it.
      AutoComplete.bash("weir", spec.root().commandLine()).lines().forEach(out::script);
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      throw ErrorReporter.usageError(spec, e);
    }
  }
}
