package dev.weir.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A command that has run in this process: its exit code and what it wrote. */
record Ran(int exit, String out, String err) {
  static final Path SAMPLE = Path.of("../rules-yaml/src/test/resources/rules/sample.yaml");

  /** A terminal that nobody reads. */
  static Terminal nowhere() {
    return new Terminal(new PrintStream(OutputStream.nullOutputStream()), false);
  }

  static Ran weir(Object... args) {
    return in(Map.of(), false, args);
  }

  static Ran in(Map<String, String> environment, boolean coloured, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] words = new String[args.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = args[i].toString();
    }
    int exit =
        Main.run(
            new Terminal(new PrintStream(out, true, StandardCharsets.UTF_8), coloured),
            new Terminal(new PrintStream(err, true, StandardCharsets.UTF_8), false),
            environment,
            words);
    return new Ran(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** What is in a document below these names and places, as text. */
  static String at(@Nullable Object json, Object... steps) {
    Object value = json;
    for (Object step : steps) {
      value =
          step instanceof Integer place
              ? ((List<?>) requireNonNull(value)).get(place)
              : ((Map<?, ?>) requireNonNull(value)).get(step);
    }
    return String.valueOf(value);
  }

  /** What no command may ever show: a trace, or a character that a terminal would obey. */
  Ran isHarmless() {
    assertThat(out + err)
        .doesNotContain("\tat ", "Exception")
        .doesNotMatch("(?s).*[\\p{Cntrl}&&[^\n]].*");
    return this;
  }
}
