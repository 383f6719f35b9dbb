package dev.weir.cli;

import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.yaml.RuleFiles;
import dev.weir.yaml.RulesLoader;
import dev.weir.yaml.RulesWatch;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/** A server on free ports of this machine. */
record Live(RulesWatch watch, WeirServer server) implements AutoCloseable {

  static Live with(Path rules) throws Exception {
    return with(rules, ServerSettings.DEFAULT);
  }

  static Live with(Path rules, ServerSettings settings) throws Exception {
    RulesLoader loader = new RulesLoader(KeySpace.random(), Map.of());
    RulesWatch watch = new RulesWatch(RuleFiles.at(rules), loader, InstantSource.system());
    return new Live(
        watch,
        WeirServer.start(settings.withPorts(0, ServerSettings.OFF, 0), watch, new MemoryStore()));
  }

  String traffic() {
    return "http://127.0.0.1:" + server.port();
  }

  String admin() {
    return "http://127.0.0.1:" + server.adminPort();
  }

  @Override
  public void close() {
    server.close();
    watch.close();
  }
}
