package dev.weir.spring;

import dev.weir.spring.Apps.Running;
import java.util.EnumMap;
import java.util.Map;

/** The applications that the tests of a class have in common, one for each setup. */
final class SharedApps implements AutoCloseable {
  private final Map<Setup, Running> running = new EnumMap<>(Setup.class);
  private final Map<String, String> properties;
  private final Class<?>[] sources;

  SharedApps(Map<String, String> properties, Class<?>... sources) {
    this.properties = properties;
    this.sources = sources;
  }

  Running of(Setup setup) {
    return running.computeIfAbsent(setup, one -> one.start(properties, sources));
  }

  @Override
  public void close() {
    running.values().forEach(Running::close);
    running.clear();
  }
}
