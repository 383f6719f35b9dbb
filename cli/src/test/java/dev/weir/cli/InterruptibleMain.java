package dev.weir.cli;

import java.io.IOException;

/**
 * The program, interrupted by the end of its standard input, so that a test decides how long a
 * server drains.
 */
public final class InterruptibleMain {
  private InterruptibleMain() {}

  /** Runs the program. */
  public static void main(String[] arguments) {
    Thread main = Thread.currentThread();
    Thread reader =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // More may come before the end.
                }
              } catch (IOException e) {
                // The end of the input as well.
              }
              main.interrupt();
            });
    reader.setDaemon(true);
    reader.start();
    Main.main(arguments);
  }
}
