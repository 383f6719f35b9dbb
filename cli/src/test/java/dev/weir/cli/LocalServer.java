package dev.weir.cli;

import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.server.WeirServer;
import dev.weir.server.settings.ServerSettings;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/** A server in this process, on free ports of this machine. */
public record LocalServer(RulesFileWatcher watcher, WeirServer server) implements AutoCloseable {

  /** Starts a server with default settings. */
  public static LocalServer with(Path rules) throws Exception {
    return with(rules, ServerSettings.DEFAULT);
  }

  /** Starts a server. */
  public static LocalServer with(Path rules, ServerSettings settings) throws Exception {
    RulesLoader loader = new RulesLoader(KeySpace.random(), Map.of());
    RulesFileWatcher watcher =
        new RulesFileWatcher(RuleFiles.at(rules), loader, InstantSource.system());
    return new LocalServer(
        watcher,
        WeirServer.start(settings.withPorts(0, ServerSettings.OFF, 0), watcher, new MemoryStore()));
  }

  /** The URL of the traffic port. */
  public String traffic() {
    return "http://127.0.0.1:" + server.port();
  }

  /** The URL of the administration port. */
  public String admin() {
    return "http://127.0.0.1:" + server.adminPort();
  }

  @Override
  public void close() {
    server.close();
    watcher.close();
  }
}
