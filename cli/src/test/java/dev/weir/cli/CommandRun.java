package dev.weir.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.terminal.Terminal;
import dev.weir.testkit.Repository;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a command: its exit code and its output. */
public record CommandRun(int exit, String out, String err) {
  /** The sample of the rules module. */
  public static final Path SAMPLE = Repository.path("rules/src/test/resources/rules/sample.yaml");

  /** A terminal that discards its output. */
  public static Terminal discardingTerminal() {
    return new Terminal(new PrintStream(OutputStream.nullOutputStream()), false);
  }

  /** Runs a command in this process, with an empty environment and without colour. */
  public static CommandRun weir(Object... args) {
    return in(Map.of(), false, args);
  }

  /** Runs a command in this process. */
  public static CommandRun in(Map<String, String> environment, boolean coloured, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] arguments = new String[args.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = args[i].toString();
    }
    int exit =
        Main.run(
            new Terminal(new PrintStream(out, true, StandardCharsets.UTF_8), coloured),
            new Terminal(new PrintStream(err, true, StandardCharsets.UTF_8), false),
            environment,
            arguments);
    return new CommandRun(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The value in a JSON document at a path of names and indexes, as text. */
  public static String valueAt(@Nullable Object json, Object... steps) {
    Object value = json;
    for (Object step : steps) {
      value =
          step instanceof Integer index
              ? ((List<?>) requireNonNull(value)).get(index)
              : ((Map<?, ?>) requireNonNull(value)).get(step);
    }
    return String.valueOf(value);
  }

  /** Asserts that the output has no stack trace and no control character. */
  public CommandRun assertHarmless() {
    assertThat(out + err)
        .doesNotContain("\tat ", "Exception")
        .doesNotMatch("(?s).*[\\p{Cntrl}&&[^\n]].*");
    return this;
  }
}
