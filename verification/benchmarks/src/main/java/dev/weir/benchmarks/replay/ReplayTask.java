package dev.weir.benchmarks.replay;

import dev.weir.key.KeySpace;
import dev.weir.replay.NamedRules;
import dev.weir.replay.Replay;
import dev.weir.replay.ReplayListener;
import dev.weir.replay.ReplaySettings;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.log.format.LogFormats;
import dev.weir.replay.log.read.AccessLogs;
import dev.weir.replay.log.read.ReadOptions;
import dev.weir.replay.result.ReplayResult;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.yaml.RulesText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replays one log in a process of its own, and prints the lines, those denied, the callers, the
 * seconds and the live heap in MiB.
 */
final class ReplayTask {
  private static final String RULES =
      """
      rules:
        - {name: site, limit: 20000/second}
        - {name: each-caller, per: ip, limit: 10/second, burst: 20}
        - {name: each-minute, per: ip, limit: 300/minute, algorithm: fixed-window}
        - {name: login, match: {method: POST, path: /login}, per: ip, limit: 5/minute, algorithm: sliding-log}
        - {name: search, match: {path: /search}, per: ip, limit: 60/minute, algorithm: sliding-counter}
      """;

  private ReplayTask() {}

  /** Replays the log of the first argument, in combined format if the second says so. */
  public static void main(String[] args) throws Exception {
    KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    byte[] text = RULES.getBytes(StandardCharsets.UTF_8);
    RulesText file = new RulesText("rules.yaml", Path.of("").toAbsolutePath(), text);
    NamedRules rules =
        new NamedRules("rules.yaml", new RulesLoader(keys, Map.of()).load(List.of(file)));
    ReadOptions options =
        ReadOptions.defaults()
            .withFormat(
                args[1].equals("combined")
                    ? LogFormats.named("combined")
                    : LogFormats.nginx(GeneratedLog.FORMAT))
            .withoutFields();
    long start = System.nanoTime();
    ReplayResult result;
    try (LogSource log = AccessLogs.open(List.of(Path.of(args[0])), options)) {
      ReplaySettings settings = ReplaySettings.of(List.of(args[0]));
      result = new Replay(rules, Optional.empty(), settings, ReplayListener.NONE).run(log);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "%d %d %d %.3f %d%n",
        result.log().requests(),
        result.proposed().worst().denied(),
        result.proposed().callers().count(),
        seconds,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20);
  }
}
