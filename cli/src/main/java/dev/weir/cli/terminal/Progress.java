package dev.weir.cli.terminal;

/**
 * Shows how far a command is: one line that is rewritten where somebody watches, else a line now
 * and then. Used by one thread.
 */
public final class Progress {
  /** How many calls without a watcher it takes for a line: one in five seconds. */
  private static final int CALLS_PER_LINE = 5;

  private final Terminal terminal;
  private int calls;

  /** Creates a progress line on a terminal, which should not be that of the results. */
  public Progress(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Shows where the command is; to be called once a second. */
  public void show(String line) {
    if (terminal.isLive()) {
      terminal.rewrite(line);
    } else if (++calls % CALLS_PER_LINE == 0) {
      terminal.line("weir: ", line);
    }
  }

  /** Shows that another step begins. */
  public void begin(String line) {
    calls = 0;
    if (terminal.isLive()) {
      terminal.rewrite(line);
    } else {
      terminal.line("weir: ", line);
    }
  }

  /** Removes the line, before results are printed. */
  public void clear() {
    terminal.rewrite("");
  }

  /** A bar for a part of a whole, such as {@code [####......]}. */
  public static String bar(long part, long whole, int width) {
    int filled = (int) (Math.min(part, whole) * width / Math.max(1, whole));
    return "[" + "#".repeat(filled) + ".".repeat(width - filled) + "]";
  }
}
