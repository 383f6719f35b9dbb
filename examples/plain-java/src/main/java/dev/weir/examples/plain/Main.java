package dev.weir.examples.plain;

import dev.weir.library.Weir;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts the server. */
public final class Main {
  private static final String USAGE =
      "usage: plain-java [--port 8080] [--store redis://host:6379] [--limits limits.yaml]";

  private Main() {}

  /** Starts the server, until the process is ended. */
  public static void main(String[] args) throws IOException {
    int port = 8080;
    String store = null;
    Path limits = Path.of("limits.yaml");
    for (Iterator<String> words = Arrays.asList(args).iterator(); words.hasNext(); ) {
      String option = words.next();
      if (!words.hasNext()) {
        throw new IllegalArgumentException(option + ": none (expected: a value)\n" + USAGE);
      }
      switch (option) {
        case "--port" -> port = Integer.parseInt(words.next());
        case "--store" -> store = words.next();
        case "--limits" -> limits = Path.of(words.next());
        default -> throw new IllegalArgumentException(option + "\n" + USAGE);
      }
    }
    Weir weir = open(store);
    LimitedServer server = new LimitedServer(weir, weir.rules(limits), port, Main::takeASecond);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  weir.close();
                }));
    System.out.println(
        "listening on http://127.0.0.1:" + server.port() + ", store " + weir.store());
  }

  /** With a store, all processes on it enforce one limit; while it is down, each its part. */
  private static Weir open(@Nullable String store) {
    return store == null ? Weir.inMemory() : Weir.redis(store).build();
  }

  private static void takeASecond() {
    try {
      TimeUnit.SECONDS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
