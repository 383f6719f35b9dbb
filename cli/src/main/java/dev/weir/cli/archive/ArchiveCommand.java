package dev.weir.cli.archive;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Version;
import dev.weir.cli.terminal.Terminal;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * The {@code weir archive} command: writes a class archive beside the jars, so that a server starts
 * faster, with or without the script. From JDK 25 on, the archive also holds profiles for the
 * compiler (JEP 483, 515).
 *
 * <p>An archive is valid for this Java version and these jars only.
 */
@Command(
    name = "archive",
    description = "Makes 'serve' start sooner: writes an archive of classes beside the jars.",
    customSynopsis = "weir archive",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "The weir script runs this after each build. Without the script, run it once",
      "where the jars will stay, such as in an image, and then start the server with",
      "  java @DIR/serve.args serve ...",
      "where DIR is the directory with the jars."
    })
public final class ArchiveCommand implements Callable<Integer> {
  private static final String ARGUMENTS_FILE = "serve.args";
  private static final int FIRST_JAVA_WITH_PROFILES = 25;
  private static final long TRAINING_SECONDS = 120;

  /**
   * The archive is written and used with the same collector, because the archived heap depends on
   * it. A server that runs out of memory exits, so that it is restarted.
   */
  private static final List<String> JVM_OPTIONS =
      List.of("-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError", quietOption());

  private final Terminal out;
  private final Class<?> main;

  /**
   * Creates the command.
   *
   * @param main the program's main class; its jar's directory receives the archive
   */
  public ArchiveCommand(Terminal out, Class<?> main) {
    this.out = out;
    this.main = main;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, Failure {
    Path directory = directory();
    String classPath = classPath(directory);
    String archive =
        Runtime.version().feature() >= FIRST_JAVA_WITH_PROFILES
            ? withProfiles(directory, classPath)
            : withoutProfiles(directory, classPath);
    List<String> arguments = new ArrayList<>(JVM_OPTIONS);
    arguments.add(archive);
    arguments.add("-cp");
    arguments.add(classPath);
    arguments.add(main.getName());
    Path file = directory.resolve(ARGUMENTS_FILE);
    List<String> lines = new ArrayList<>();
    // The script compares this line: another Java version may not know all of these options.
    lines.add("# Java " + System.getProperty("java.version"));
    arguments.stream().map(ArchiveCommand::quoted).forEach(lines::add);
    Files.write(file, lines);
    out.line("weir: archive for Java ", Runtime.version().feature(), " in ", directory);
    out.line("try:  java @", file, " serve");
    return ExitCode.OK;
  }

  /**
   * Hides only Java's warnings about an archive that does not fit, since everything works without
   * it. All other messages of Java stay visible. Java rejects log tags that it does not know.
   */
  private static String quietOption() {
    return Runtime.version().feature() >= FIRST_JAVA_WITH_PROFILES
        ? "-Xlog:cds*=off,aot*=off"
        : "-Xlog:cds*=off";
  }

  /** Trains in one run, which writes the cache when it ends. */
  private String withProfiles(Path directory, String classPath)
      throws IOException, InterruptedException, Failure {
    Path cache = directory.resolve("serve.aot");
    Files.deleteIfExists(cache);
    train(directory, classPath, "-XX:AOTCacheOutput=" + cache);
    return existing("-XX:AOTCache=", cache);
  }

  /** Records the needed classes in one run and writes them in another. */
  private String withoutProfiles(Path directory, String classPath)
      throws IOException, InterruptedException, Failure {
    Path classes = directory.resolve("serve.classes");
    Path archive = directory.resolve("serve.jsa");
    Files.deleteIfExists(archive);
    train(directory, classPath, "-XX:DumpLoadedClassList=" + classes);
    List<String> dump = new ArrayList<>(JVM_OPTIONS);
    dump.addAll(
        List.of(
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + classes,
            "-XX:SharedArchiveFile=" + archive,
            "-cp",
            classPath));
    runJava(directory, dump);
    Files.deleteIfExists(classes);
    return existing("-XX:SharedArchiveFile=", archive);
  }

  private static String existing(String option, Path file) throws Failure {
    if (!Files.isRegularFile(file)) {
      throw new Failure(ExitCode.UNEXPECTED, file + ": not written by Java " + Runtime.version());
    }
    return option + file;
  }

  /** Runs a server that exercises everything it has and then exits. */
  private void train(Path directory, String classPath, String option)
      throws IOException, InterruptedException, Failure {
    List<String> arguments = new ArrayList<>(JVM_OPTIONS);
    arguments.addAll(List.of(option, "-cp", classPath, main.getName()));
    arguments.addAll(List.of("serve", "--train", "--host", "127.0.0.1", "--port", "0"));
    arguments.addAll(List.of("--grpc-port", "0", "--admin-port", "0"));
    runJava(directory, arguments);
  }

  private static void runJava(Path directory, List<String> arguments)
      throws IOException, InterruptedException, Failure {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    Path log = directory.resolve("archive.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(ArchiveCommand::changesTraining);
    Process process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new Failure(
          ExitCode.UNEXPECTED, "no archive within " + TRAINING_SECONDS + " s; see " + log);
    }
    if (process.exitValue() != 0) {
      throw new Failure(
          ExitCode.UNEXPECTED,
          "no archive, java exited with " + process.exitValue() + "; see " + log);
    }
  }

  /** Whether a server in training could read this environment variable. */
  private static boolean changesTraining(String variable) {
    return !List.of("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR").contains(variable);
  }

  private Path directory() throws IOException, Failure {
    try {
      Path jar = Path.of(main.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isRegularFile(jar)) {
        return Objects.requireNonNull(jar.toAbsolutePath().getParent());
      }
      throw new Failure(ExitCode.USAGE, jar + ": not a jar (expected: weir started from its jars)");
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static String classPath(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<String> jars =
          files.map(Path::toString).filter(name -> name.endsWith(".jar")).sorted().toList();
      return String.join(File.pathSeparator, jars);
    }
  }

  /** Quotes an argument for an argument file of {@code java}. */
  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
