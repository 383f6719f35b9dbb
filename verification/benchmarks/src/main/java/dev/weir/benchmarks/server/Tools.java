package dev.weir.benchmarks.server;

import dev.weir.testkit.Programs;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Programs of this machine. */
public final class Tools {
  /** Where Debian keeps servers; only root has it on the PATH. */
  private static final String SERVERS = "/usr/sbin";

  private Tools() {}

  /** The file of a program, if it is installed. */
  public static Optional<Path> find(String name) {
    return Programs.find(name, System.getenv("PATH") + File.pathSeparator + SERVERS);
  }

  /** The {@code java} that runs this. */
  public static String java() {
    return System.getProperty("java.home") + "/bin/java";
  }

  /** All that a command prints, on one line. */
  public static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      return new String(out.readAllBytes(), StandardCharsets.UTF_8).strip().replace('\n', ' ');
    }
  }

  /** Runs a command that shows its output, and returns whether it succeeded. */
  public static boolean run(List<String> command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
  }
}
