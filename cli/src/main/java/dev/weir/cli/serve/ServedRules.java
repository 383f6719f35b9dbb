package dev.weir.cli.serve;

import dev.weir.cli.options.RulesOptions.Origin;
import dev.weir.cli.terminal.Terminal;
import dev.weir.rules.ActiveRules;
import dev.weir.rules.RuleSource;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRegistry;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.server.xds.XdsSettings;
import dev.weir.server.xds.XdsSource;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** The rules of a server, from files, from an xDS management server, or from both. */
final class ServedRules implements AutoCloseable {
  private final RulesRegistry registry;
  private final @Nullable XdsSettings management;
  private @Nullable RulesFileWatcher watcher;
  private @Nullable XdsSource xdsSource;

  private ServedRules(RulesRegistry registry, @Nullable XdsSettings management) {
    this.registry = registry;
    this.management = management;
  }

  /**
   * Reads the files and connects to the management server, whichever the origin has.
   *
   * @throws IOException if the files cannot be read
   * @throws RulesRejected if their rules are invalid
   */
  static ServedRules open(Origin origin, RulesLoader loader, ScheduledExecutorService scheduler)
      throws IOException, RulesRejected {
    InstantSource clock = InstantSource.system();
    RulesRegistry registry = new RulesRegistry(loader, clock);
    XdsSettings management = origin.management();
    ServedRules served = new ServedRules(registry, management);
    // Registers both sources before either has rules, so that the rules of one are not complete.
    RuleSource xds = management == null ? null : registry.addSource("xDS " + management.address());
    if (origin.files() != null) {
      served.watcher = new RulesFileWatcher(origin.files(), registry, clock);
      served.watcher.start(scheduler);
    }
    if (management != null && xds != null) {
      served.xdsSource = XdsSource.start(management, xds, new SecureRandom());
    }
    return served;
  }

  /** The rules that are active. */
  ActiveRules active() {
    return registry;
  }

  /** Waits for the first configuration, unless the settings force a start without it. */
  void await(Terminal out) throws InterruptedException {
    if (management == null || management.forceStart() || registry.isLoaded()) {
      return;
    }
    out.line("weir: waiting for the configuration from xDS ", management.address());
    CountDownLatch loaded = new CountDownLatch(1);
    var unused = registry.loaded().thenRun(loaded::countDown);
    loaded.await();
  }

  @Override
  public void close() {
    if (xdsSource != null) {
      xdsSource.close();
    }
    if (watcher != null) {
      watcher.close();
    }
    registry.close();
  }
}
