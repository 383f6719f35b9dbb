package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.rules.source.RuleFiles;
import dev.weir.server.xds.XdsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the sources of rules. */
public final class RulesOptions {
  @Option(names = "--rules", paramLabel = "FILE|DIR", description = "Rules, watched for changes.")
  private @Nullable Path rules;

  @Option(
      names = "--xds",
      paramLabel = "HOST:PORT",
      description = "xDS management server that sends Envoy's domains; alone, or with --rules.")
  private @Nullable String xds;

  @Option(names = "--xds-node", paramLabel = "ID", description = "Node ID to send to it; default.")
  private @Nullable String xdsNode;

  /**
   * The sources of rules: files, a management server, or both.
   *
   * @param name the flag or variable that names the files; empty if none does
   * @param files null if there are none
   * @param management null if there is none
   * @param description the sources in words
   */
  public record Origin(
      String name,
      @Nullable RuleFiles files,
      @Nullable XdsSettings management,
      String description) {

    /** Explains why the files cannot be read, by the flag or variable that names them. */
    public String unreadable(IOException e) {
      String why =
          files == null
              ? String.valueOf(e.getMessage())
              : Input.unreadable(Path.of(files.toString()), e);
      return name.isEmpty() ? why : name + ": " + why;
    }
  }

  /**
   * The sources that flags and variables name; the sample rules if they name none.
   *
   * @throws IllegalArgumentException if a value is invalid
   * @throws IOException if files cannot be read, or the sample rules cannot be written
   */
  public Origin origin(RatelimitEnvironment ratelimit) throws IOException {
    XdsSettings management = management(ratelimit.xds().orElse(null));
    String server = management == null ? "" : "xDS " + management.address();
    Optional<Path> runtime = ratelimit.configuration();
    if (rules != null) {
      if (rules.toString().equals(Input.STANDARD)) {
        throw Flag.invalid("--rules", "-", "a file or a directory, which can be watched");
      }
      String description = management == null ? rules.toString() : rules + " and " + server;
      return new Origin("--rules", RuleFiles.at(rules), management, description);
    }
    if (management != null) {
      return new Origin("", null, management, server);
    }
    return runtime.isPresent()
        ? new Origin(
            "RUNTIME_ROOT", RuleFiles.allBelow(runtime.get()), null, runtime.get().toString())
        : new Origin("", RuleFiles.at(sample()), null, "the sample rules");
  }

  /** The settings of the variables, overridden by the flags. */
  private @Nullable XdsSettings management(@Nullable XdsSettings fromEnvironment) {
    XdsSettings server = fromEnvironment;
    if (xds != null) {
      if (xds.isEmpty()) {
        throw Flag.invalid("--xds", xds, "HOST:PORT");
      }
      try {
        server = fromEnvironment == null ? XdsSettings.at(xds) : fromEnvironment.withAddress(xds);
      } catch (IllegalArgumentException e) {
        throw Flag.renamed("--xds", e);
      }
    }
    if (xdsNode == null) {
      return server;
    }
    if (server == null) {
      throw Flag.invalid("--xds-node", xdsNode + " alone", "--xds too");
    }
    try {
      return server.withNode(xdsNode, server.metadata());
    } catch (IllegalArgumentException e) {
      throw Flag.renamed("--xds-node", e);
    }
  }

  /** Copies the sample rules to a temporary file, since only files can be watched. */
  private static Path sample() throws IOException {
    try (InputStream in =
        RulesOptions.class.getResourceAsStream("/dev/weir/cli/sample-rules.yaml")) {
      Path file = Files.createTempFile("weir-sample-rules", ".yaml");
      file.toFile().deleteOnExit();
      Files.write(file, Objects.requireNonNull(in, "sample-rules.yaml").readAllBytes());
      return file;
    }
  }
}
