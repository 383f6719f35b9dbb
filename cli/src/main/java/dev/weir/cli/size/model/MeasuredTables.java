package dev.weir.cli.size.model;

import dev.weir.Algorithm;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;

/** What was measured, and where: the file {@code measured.properties}. Immutable. */
public final class MeasuredTables {
  private static final String FILE = "/dev/weir/cli/size/measured.properties";

  /** The versions of Redis that were measured, oldest first. */
  public static final List<String> BUILDS = List.of("6.2", "7.0");

  private final Properties values = new Properties();

  private MeasuredTables() {}

  /**
   * What Redis does for a decision.
   *
   * @param micros of its processor
   * @param toRedis bytes of the request
   * @param fromRedis bytes of the reply
   */
  public record Work(double micros, double toRedis, double fromRedis) {}

  /** Reads the file. */
  public static MeasuredTables load() {
    MeasuredTables tables = new MeasuredTables();
    try (InputStream in = MeasuredTables.class.getResourceAsStream(FILE)) {
      tables.values.load(
          new InputStreamReader(Objects.requireNonNull(in, FILE), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return tables;
  }

  /** The build of a version, such as {@code 7.0} or {@code 7.0.15}; later ones are like 7.0. */
  public RedisBuild build(String version) {
    String name = version.startsWith("6.") ? BUILDS.get(0) : BUILDS.get(1);
    String prefix = "redis." + name + ".";
    return new RedisBuild(
        name,
        text(prefix + "about"),
        Long.parseLong(text(prefix + "quantum")),
        Long.parseLong(text(prefix + "cluster")));
  }

  /** What Redis does for a decision about a limit of this algorithm. */
  public Work work(Algorithm algorithm) {
    String name = algorithm.name().toLowerCase(Locale.ROOT).replace('_', '-');
    double[] numbers =
        Stream.of(text("work." + name).split(" ")).mapToDouble(Double::parseDouble).toArray();
    return new Work(numbers[0], numbers[1], numbers[2]);
  }

  /** The requests per second that one core of a server decides on Redis. */
  public double edgePerCore() {
    return Double.parseDouble(text("edge.per-core"));
  }

  /** The calls per second with which one server keeps a busy key leased. */
  public double leaseCalls() {
    return Double.parseDouble(text("lease.calls"));
  }

  /** A text of the file: its source, date, or hardware. */
  public String text(String name) {
    return Objects.requireNonNull(values.getProperty(name), name).strip();
  }
}
