package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.cli.terminal.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A caller, by the hash of its identity or by a request of it. */
public final class CallerOptions {
  @Option(
      names = "--caller",
      paramLabel = "HASH",
      description = "The caller by its hash: 16 hexadecimal digits, as explain --server shows it.")
  private @Nullable String caller;

  @Mixin private final RequestOptions request = new RequestOptions();

  /**
   * The caller as a server takes it.
   *
   * @throws IllegalArgumentException if an argument is malformed, or not exactly one way to name
   *     the caller is given
   */
  public Map<String, @Nullable Object> json() {
    if (caller == null) {
      return request.json();
    }
    if (request.isGiven()) {
      throw Flag.invalid("--caller", caller + " and a request", "one of them");
    }
    return Json.object("caller", caller);
  }
}
