package dev.weir.cli;

import dev.weir.cli.ratelimit.RatelimitEnvironment;
import dev.weir.server.xds.XdsSettings;
import dev.weir.yaml.RuleFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where rules come from. */
final class RulesOptions {
  @Option(names = "--rules", paramLabel = "FILE|DIR", description = "Rules; watched for changes.")
  private @Nullable Path rules;

  @Option(
      names = "--xds",
      paramLabel = "HOST:PORT",
      description = "Take Envoy's domains from this management server; alone, or beside --rules.")
  private @Nullable String xds;

  @Option(names = "--xds-node", paramLabel = "ID", description = "What it knows us by; default.")
  private @Nullable String xdsNode;

  /**
   * Files, a management server, or both; and how that is told.
   *
   * @param name of the flag or variable that names the files; empty if none does
   * @param files null if there are none
   * @param management null if there is none
   */
  record Origin(
      String name, @Nullable RuleFiles files, @Nullable XdsSettings management, String told) {

    /** Why the files cannot be read, by the flag or variable that names them. */
    String unreadable(IOException e) {
      String why =
          files == null
              ? String.valueOf(e.getMessage())
              : Input.unreadable(Path.of(files.toString()), e);
      return name.isEmpty() ? why : name + ": " + why;
    }
  }

  /**
   * @throws IllegalArgumentException with what makes no sense
   */
  Origin origin(RatelimitEnvironment ratelimit) throws IOException {
    XdsSettings management = management(ratelimit.xds().orElse(null));
    String server = management == null ? "" : "xDS " + management.address();
    Optional<Path> runtime = ratelimit.configuration();
    if (rules != null) {
      if (rules.toString().equals(Input.STANDARD)) {
        throw Flag.refused("--rules", "-", "a file or a directory, which can be watched");
      }
      String told = management == null ? rules.toString() : rules + " and " + server;
      return new Origin("--rules", RuleFiles.at(rules), management, told);
    }
    if (management != null) {
      return new Origin("", null, management, server);
    }
    return runtime.isPresent()
        ? new Origin(
            "RUNTIME_ROOT", RuleFiles.allBelow(runtime.get()), null, runtime.get().toString())
        : new Origin("", RuleFiles.at(sample()), null, "the sample rules");
  }

  /** What the variables say, with what the flags say instead. */
  private @Nullable XdsSettings management(@Nullable XdsSettings told) {
    XdsSettings server = told;
    if (xds != null) {
      if (xds.isEmpty()) {
        throw Flag.refused("--xds", xds, "HOST:PORT");
      }
      try {
        server = told == null ? XdsSettings.at(xds) : told.withAddress(xds);
      } catch (IllegalArgumentException e) {
        throw Flag.named("--xds", e);
      }
    }
    if (xdsNode == null) {
      return server;
    }
    if (server == null) {
      throw Flag.refused("--xds-node", xdsNode + " alone", "--xds too");
    }
    try {
      return server.withNode(xdsNode, server.metadata());
    } catch (IllegalArgumentException e) {
      throw Flag.named("--xds-node", e);
    }
  }

  /** The sample rules as a file, since files are what is watched. */
  private static Path sample() throws IOException {
    try (InputStream in = RulesOptions.class.getResourceAsStream("sample-rules.yaml")) {
      Path file = Files.createTempFile("weir-sample-rules", ".yaml");
      file.toFile().deleteOnExit();
      Files.write(file, Objects.requireNonNull(in, "sample-rules.yaml").readAllBytes());
      return file;
    }
  }
}
