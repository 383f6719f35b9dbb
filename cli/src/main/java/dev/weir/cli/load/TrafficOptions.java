package dev.weir.cli.load;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.load.Target;
import dev.weir.load.traffic.AccessLog;
import dev.weir.load.traffic.Mix;
import dev.weir.load.traffic.MixFile;
import dev.weir.load.traffic.RequestSpec;
import dev.weir.load.traffic.Traffic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for which requests are sent. */
final class TrafficOptions {
  private static final int MAX_MIX_BYTES = 1 << 20;

  @Option(
      names = "--mix",
      paramLabel = "FILE",
      description = "Requests, weights and callers, as YAML; without it, GET of the URL's path.")
  private @Nullable Path mix;

  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description =
          "Requests of an access log (common, combined or JSON), at random, each as often as it"
              + " is there.")
  private @Nullable Path accessLog;

  @Option(names = "--in-order", description = "Requests of the access log in its order instead.")
  private boolean inOrder;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of all random choices; default 1.")
  private String seed = "1";

  SplittableRandom random() {
    return new SplittableRandom(Flag.integer("--seed", seed, 0, Long.MAX_VALUE / 10));
  }

  Traffic traffic(Target target, SplittableRandom random) throws Failure {
    if (mix != null && accessLog != null) {
      throw Flag.invalid("--mix", mix.toString(), "--mix or --access-log, not both");
    }
    if (inOrder && accessLog == null) {
      throw Flag.invalid("--in-order", "", "--access-log beside it");
    }
    if (accessLog != null) {
      AccessLog log = read(accessLog);
      return inOrder ? log.inOrder(target.authority()) : log.atRandom(target.authority(), random);
    }
    Mix requests = mix == null ? Mix.of(RequestSpec.get(target.path())) : readMix(mix);
    return requests.traffic(target.authority(), random);
  }

  private static Mix readMix(Path file) throws Failure {
    byte[] bytes = Input.bytes("--mix", file, MAX_MIX_BYTES);
    if (bytes.length > MAX_MIX_BYTES) {
      throw Flag.invalid("--mix", file.toString(), "at most " + MAX_MIX_BYTES + " bytes");
    }
    try {
      return MixFile.read(file.toString(), new String(bytes, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new Failure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private static AccessLog read(Path file) throws Failure {
    try (BufferedReader reader =
        new BufferedReader(
            // Other bytes than those of UTF-8 are replaced: nobody knows what is in a log.
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      return AccessLog.read(file.toString(), reader);
    } catch (IOException e) {
      throw new Failure(ExitCode.USAGE, "--access-log: " + Input.unreadable(file, e));
    } catch (IllegalArgumentException e) {
      throw new Failure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
