package dev.weir.cli;

import dev.weir.cli.RulesOptions.Origin;
import dev.weir.server.xds.XdsSettings;
import dev.weir.server.xds.XdsSource;
import dev.weir.yaml.RuleBoard;
import dev.weir.yaml.RuleOrigin;
import dev.weir.yaml.RulesInForce;
import dev.weir.yaml.RulesLoader;
import dev.weir.yaml.RulesRefused;
import dev.weir.yaml.RulesWatch;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** The rules of a server: from files, from a management server, or from both. */
final class ServedRules implements AutoCloseable {
  private final RuleBoard board;
  private final @Nullable XdsSettings management;
  private @Nullable RulesWatch watch;
  private @Nullable XdsSource source;

  private ServedRules(RuleBoard board, @Nullable XdsSettings management) {
    this.board = board;
    this.management = management;
  }

  /** Reads the files, and begins to ask the server, of which at least one is there. */
  static ServedRules open(Origin from, RulesLoader loader, ScheduledExecutorService scheduler)
      throws IOException, RulesRefused {
    InstantSource clock = InstantSource.system();
    RuleBoard board = new RuleBoard(loader, clock);
    XdsSettings management = from.management();
    ServedRules served = new ServedRules(board, management);
    // Both are known before the first of them has rules, so that these do not seem complete.
    RuleOrigin sent = management == null ? null : board.origin("xDS " + management.address());
    if (from.files() != null) {
      served.watch = new RulesWatch(from.files(), board, clock);
      served.watch.start(scheduler);
    }
    if (management != null && sent != null) {
      served.source = XdsSource.start(management, sent, new SecureRandom());
    }
    return served;
  }

  RulesInForce inForce() {
    return board;
  }

  /** Waits for the first configuration, unless told to begin without it. */
  void await(Terminal out) throws InterruptedException {
    if (management == null || management.forceStart() || board.isLoaded()) {
      return;
    }
    out.line("weir: waiting for the configuration from xDS ", management.address());
    CountDownLatch loaded = new CountDownLatch(1);
    var unused = board.loaded().thenRun(loaded::countDown);
    loaded.await();
  }

  @Override
  public void close() {
    if (source != null) {
      source.close();
    }
    if (watch != null) {
      watch.close();
    }
    board.close();
  }
}
