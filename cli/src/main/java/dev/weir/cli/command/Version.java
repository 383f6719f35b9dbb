package dev.weir.cli.command;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of the program, which the build writes into the jar. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
            .orElse("(not packaged)");
    return new String[] {"weir " + version + ", Java " + Runtime.version()};
  }
}
