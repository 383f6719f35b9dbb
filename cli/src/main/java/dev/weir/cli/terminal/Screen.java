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
 * screen before comes back when it is closed, also by a signal.
 *
 * <p>Keys and the size come from {@code stty}, which every Unix has: Java has neither without a
 * native library. Without it the page has the usual size, and Ctrl-C is the only key.
 *
 * <p>Used by one thread; a signal may close it on another.
 */
public final class Screen implements AutoCloseable {
  private static final File TTY = new File("/dev/tty");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,4}) ([0-9]{1,4})");
  private static final Pattern STATE = Pattern.compile("[0-9a-f:=;,]+");
  private static final int STTY_SECONDS = 2;

  // The other screen, no cursor, no wrapped lines; and back.
  private static final String OPEN = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J";
  private static final String CLOSE = "\u001b[?7h\u001b[?25h\u001b[?1049l";

  private final Terminal terminal;
  private final Thread hook = new Thread(this::restore, "weir-screen");
  private final String before;
  private final @Nullable InputStream keys;
  private String shown = "";
  private boolean restored;

  /** How much has room. */
  public record Size(int lines, int columns) {
    private static final Size USUAL = new Size(24, 80);
  }

  private Screen(Terminal terminal) {
    this.terminal = terminal;
    this.before = stty("-g");
    this.keys = STATE.matcher(before).matches() ? keys() : null;
  }

  /** Takes the screen of a terminal. */
  public static Screen open(Terminal terminal) {
    Screen screen = new Screen(terminal);
    Runtime.getRuntime().addShutdownHook(screen.hook);
    if (screen.keys != null) {
      // A suspended process would leave its page on the screen, since Java cannot clear it then.
      stty("-icanon", "-echo", "min", "1", "susp", "undef");
    }
    terminal.write(OPEN);
    return screen;
  }

  /** How much has room now; users change it at any time. */
  public static Size size() {
    Matcher size = SIZE.matcher(stty("size"));
    if (!size.matches() || size.group(1).equals("0") || size.group(2).equals("0")) {
      return Size.USUAL;
    }
    return new Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)));
  }

  /** Whether keys can be read. */
  public boolean hasKeys() {
    return keys != null;
  }

  /** Shows lines, each given by its pieces; what does not fit is cut off. */
  public synchronized void show(List<List<Object>> lines, Size size) {
    StringBuilder page = new StringBuilder("\u001b[H");
    int last = Math.min(lines.size(), size.lines());
    for (int i = 0; i < last; i++) {
      List<Object> line = TextWidth.cut(lines.get(i), size.columns());
      page.append(terminal.escaped(line));
      // Behind a full line the cursor is still in its last column, which would be erased.
      page.append(TextWidth.of(line) < size.columns() ? "\u001b[K" : "");
      page.append(i < last - 1 ? "\r\n" : last < size.lines() ? "\r\n\u001b[J" : "");
    }
    String text = page.toString();
    if (!restored && !text.equals(shown)) {
      shown = text;
      terminal.write(text);
    }
  }

  /** Shows the same once more, because the terminal may have changed it. */
  public synchronized void repaint() {
    shown = "";
  }

  /** The keys that were pressed since the last call. */
  public String keysPressed() {
    StringBuilder pressed = new StringBuilder();
    try {
      while (keys != null && keys.available() > 0) {
        pressed.append((char) keys.read());
      }
    } catch (IOException e) {
      pressed.append('q'); // the terminal is gone
    }
    return pressed.toString();
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
      if (keys != null) {
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
      // No stty, or no terminal.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "";
  }
}
