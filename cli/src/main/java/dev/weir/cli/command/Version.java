package dev.weir.cli.command;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of the program, which the build writes into the jar. */
public final class Version implements IVersionProvider {
  /** The version alone. */
  public static String number() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("(not packaged)");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"weir " + number() + ", Java " + Runtime.version()};
  }
}
