package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A command on a real terminal, of which the test is the person: it types, looks and resizes. */
public final class TerminalProcess implements AutoCloseable {
  private static final Pattern DEVICE = Pattern.compile("terminal (/\\S+)");
  private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[[0-9;?]*[A-Za-z]");
  private static final String PAGE = "\u001b[H";
  private static final long PATIENCE_SECONDS = 90; // test machines are busy

  private final Script.Started started;

  private TerminalProcess(Script.Started started) {
    this.started = started;
  }

  /**
   * Runs a command on a terminal of this size. What it prints ends with the state of the terminal
   * before and after, and the exit code.
   */
  public static TerminalProcess start(
      int lines, int columns, Map<String, String> environment, Object... words) throws IOException {
    List<Object> command =
        JavaCommand.of(List.of("-Dweir.terminal=true", "-XX:TieredStopAtLevel=1"), Main.class, "");
    command.remove("");
    command.addAll(List.of(words));
    String line =
        "stty rows "
            + lines
            + " cols "
            + columns
            + "; trap : INT; echo terminal $(tty); before=$(stty -g); "
            + command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "))
            + "; code=$?; [ \"$before\" = \"$(stty -g)\" ] && echo restored; echo exit $code.";
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(Map.of("PATH", System.getenv("PATH"), "TERM", "xterm", "SHELL", "/bin/sh"));
    all.put("LC_ALL", "C.UTF-8");
    Programs.require("stty");
    List<Object> script = new ArrayList<>();
    if (Signals.isIgnored(Signals.INT)) {
      String perl = "$SIG{INT} = 'DEFAULT'; exec @ARGV";
      script.addAll(List.of(Programs.require("perl"), "-e", perl));
    }
    script.addAll(List.of(Programs.require("script"), "-q", "-e", "-f", "-c", line, "/dev/null"));
    return new TerminalProcess(
        Script.startPiped(Path.of("").toAbsolutePath(), all, script.toArray()));
  }

  /** All that the command has written. */
  public String output() throws IOException {
    return Files.readString(started.out());
  }

  /** What is on the screen: the page that was drawn last, without colours. */
  public String screen() throws IOException {
    String output = output();
    String page = output.substring(Math.max(0, output.lastIndexOf(PAGE)));
    return SEQUENCE.matcher(page).replaceAll("").replace("\r", "");
  }

  /** Waits until the screen is as expected, and returns it. */
  public String await(Predicate<String> expected) throws Exception {
    long start = System.nanoTime();
    for (String screen = screen(); ; screen = screen()) {
      if (expected.test(screen)) {
        return screen;
      }
      assertThat(System.nanoTime() - start)
          .as(screen)
          .isLessThan(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS));
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Presses keys. */
  public void type(String keys) throws IOException {
    OutputStream in = started.process().getOutputStream();
    in.write(keys.getBytes(StandardCharsets.US_ASCII));
    in.flush();
  }

  /** Changes the size of the terminal, as a person does who drags its corner. */
  public void resize(int lines, int columns) throws Exception {
    Matcher device = DEVICE.matcher(output());
    assertThat(device.find()).isTrue();
    String size = "stty rows " + lines + " cols " + columns + " < " + device.group(1);
    assertThat(new ProcessBuilder("sh", "-c", size).start().waitFor()).isZero();
  }

  /** Waits until the command has ended, and returns the last that was written. */
  public String awaitEnd() throws Exception {
    await(screen -> screen.matches("(?s).*\nexit \\d+\\.\n"));
    String output = output();
    return output.substring(Math.max(0, output.lastIndexOf(PAGE)));
  }

  @Override
  public void close() throws IOException {
    started.process().destroy();
    Files.deleteIfExists(started.out());
    Files.deleteIfExists(started.err());
  }
}
