package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes what makes a shell complete the words of our commands. */
@Command(
    name = "completion",
    description = "Prints a script that lets a shell complete commands, options and files.",
    customSynopsis = "weir completion bash|zsh",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Examples:",
      "  weir completion bash > ~/.local/share/bash-completion/completions/weir",
      "  weir completion zsh > ~/.weir-completion.zsh      # then source it in .zshrc",
      "  source <(weir completion bash)                    # for this shell only"
    })
final class CompletionCommand implements Callable<Integer> {
  private static final List<String> SHELLS = List.of("bash", "zsh");

  private final Terminal out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "bash|zsh",
      completionCandidates = Shells.class,
      description = "The shell.")
  private String shell = "";

  /** What completion offers. */
  static final class Shells extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Shells() {
      super(SHELLS);
    }
  }

  CompletionCommand(Terminal out) {
    this.out = out;
  }

  @Override
  public Integer call() {
    try {
      var unused = Flag.word("SHELL", shell, SHELLS);
      // One script is for both: it sees in which of them it is.
      AutoComplete.bash("weir", spec.root().commandLine()).lines().forEach(out::script);
      return Exit.OK;
    } catch (IllegalArgumentException e) {
      throw Trouble.usage(spec, e);
    }
  }
}
