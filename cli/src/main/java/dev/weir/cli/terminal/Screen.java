package dev.weir.cli.terminal;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The whole screen of a terminal, for a command that shows one page after another. What was on the
 * screen before comes back when it is closed, also by a signal. Used by one thread.
 */
public final class Screen implements AutoCloseable {
  private static final File TTY = new File("/dev/tty");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,4}) ([0-9]{1,4})");
  private static final Pattern STATE = Pattern.compile("[0-9a-f:]+");
  private static final int STTY_SECONDS = 2;

  // The other screen, no cursor, no wrapped lines; and back.
  private static final String OPEN = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J";
  private static final String CLOSE = "\u001b[?7h\u001b[?25h\u001b[?1049l";

  private final Terminal terminal;
  private final Thread hook = new Thread(this::restore, "weir-screen");
  private final String before;
  private final @Nullable InputStream keys;
  private boolean restored;

  /** How much has room. */
  public record Size(int lines, int columns) {
    private static final Size USUAL = new Size(24, 80);
  }

  private Screen(Terminal terminal) {
    this.terminal = terminal;
    this.before = stty("-g");
    this.keys = before.isEmpty() ? null : keys();
  }

  /** Takes the screen of a terminal. */
  public static Screen open(Terminal terminal) {
    Screen screen = new Screen(terminal);
    Runtime.getRuntime().addShutdownHook(screen.hook);
    if (screen.keys != null) {
      stty("-icanon", "-echo", "min", "1");
    }
    terminal.write(OPEN);
    return screen;
  }

  /** How much has room now; users change it at any time. */
  public Size size() {
    Matcher size = SIZE.matcher(stty("size"));
    if (!size.matches() || size.group(1).equals("0") || size.group(2).equals("0")) {
      return Size.USUAL;
    }
    return new Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)));
  }

  /** Shows lines, each given by its pieces; what does not fit is cut off. */
  public void show(List<List<Object>> lines, Size size) {
    StringBuilder page = new StringBuilder("\u001b[H");
    int shown = Math.min(lines.size(), size.lines());
    for (int i = 0; i < shown; i++) {
      page.append(terminal.escaped(lines.get(i))).append("\u001b[0m\u001b[K");
      page.append(i < shown - 1 ? "\r\n" : "");
    }
    terminal.write(page.append("\u001b[J").toString());
  }

  /** Whether the user has pressed a key that ends the command: q. */
  public boolean isQuitPressed() {
    try {
      boolean quit = false;
      while (keys != null && keys.available() > 0) {
        int key = keys.read();
        quit |= key == 'q' || key == 'Q';
      }
      return quit;
    } catch (IOException e) {
      return true; // the terminal is gone
    }
  }

  @Override
  public void close() {
    restore();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs already, and does nothing more.
    }
  }

  private synchronized void restore() {
    if (!restored) {
      restored = true;
      terminal.write(CLOSE);
      if (STATE.matcher(before).matches()) {
        stty(before);
      }
    }
  }

  private static @Nullable InputStream keys() {
    try {
      return new FileInputStream(TTY);
    } catch (IOException e) {
      return null;
    }
  }

  /** What {@code stty} prints for the terminal of this process; empty if it cannot be asked. */
  private static String stty(String... arguments) {
    String[] words = new String[arguments.length + 1];
    words[0] = "stty";
    System.arraycopy(arguments, 0, words, 1, arguments.length);
    try {
      Process stty =
          new ProcessBuilder(words)
              .redirectInput(TTY)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (stty.waitFor(STTY_SECONDS, TimeUnit.SECONDS) && stty.exitValue() == 0) {
        return new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      }
      stty.destroy();
    } catch (IOException e) {
      // No stty, or no terminal: the page has the usual size, and no keys.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "";
  }
}
