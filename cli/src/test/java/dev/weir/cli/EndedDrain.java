package dev.weir.cli;

import java.io.IOException;

/**
 * The program, which an end of its standard input interrupts: so a server that is told to stop goes
 * on answering for as long as a test needs, and not for some seconds.
 */
final class EndedDrain {
  private EndedDrain() {}

  public static void main(String[] arguments) {
    Thread serving = Thread.currentThread();
    Thread waiting =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // More may come before the end.
                }
              } catch (IOException e) {
                // Which is an end as well.
              }
              serving.interrupt();
            });
    waiting.setDaemon(true);
    waiting.start();
    Main.main(arguments);
  }
}
