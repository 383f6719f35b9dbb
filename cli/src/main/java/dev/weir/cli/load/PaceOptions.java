package dev.weir.cli.load;

import dev.weir.cli.command.Flag;
import dev.weir.load.arrival.ClosedLoop;
import dev.weir.load.arrival.OpenLoop;
import dev.weir.load.arrival.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for when requests are sent. */
final class PaceOptions {
  private static final List<String> ARRIVALS = List.of("poisson", "constant");
  private static final long MAX_RATE = 1_000_000;
  private static final long MAX_SECONDS = 86_400;
  private static final long MAX_USERS = 50_000;
  private static final long MAX_THINK_MILLIS = 600_000;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Open loop: N requests per second, whether or not earlier ones are answered; default 100.")
  private @Nullable String rate;

  @Option(
      names = "--arrivals",
      paramLabel = "KIND",
      completionCandidates = ArrivalKinds.class,
      description =
          "How an open loop spaces them: poisson (independent clients, the default) or constant.")
  private String arrivals = "poisson";

  @Option(
      names = "--users",
      paramLabel = "N",
      description = "Closed loop: N users, each of whom waits for an answer before the next.")
  private @Nullable String users;

  @Option(
      names = "--think-millis",
      paramLabel = "M",
      description = "How long a user pauses after an answer; default 0.")
  private @Nullable String thinkMillis;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long requests are sent; default 10.")
  private String seconds = "10";

  /** The candidates of shell completion. */
  static final class ArrivalKinds extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    ArrivalKinds() {
      super(ARRIVALS);
    }
  }

  Duration duration() {
    return Duration.ofSeconds(Flag.integer("--seconds", seconds, 1, MAX_SECONDS));
  }

  /** The number of users; 0 in an open loop. */
  int users() {
    return users == null ? 0 : (int) Flag.integer("--users", users, 1, MAX_USERS);
  }

  Pace pace(SplittableRandom random) {
    long endNanos = duration().toNanos();
    String kind = Flag.choice("--arrivals", arrivals, ARRIVALS);
    if (users() > 0) {
      if (rate != null) {
        throw Flag.invalid("--rate", rate, "--rate or --users, not both");
      }
      return new ClosedLoop(users(), thinkNanos(), endNanos);
    }
    if (thinkMillis != null) {
      throw Flag.invalid("--think-millis", thinkMillis, "--users beside it");
    }
    return kind.equals("constant")
        ? OpenLoop.constant(rate(), endNanos)
        : OpenLoop.poisson(rate(), endNanos, random);
  }

  private long rate() {
    return rate == null ? 100 : Flag.integer("--rate", rate, 1, MAX_RATE);
  }

  private long thinkNanos() {
    String millis = thinkMillis == null ? "0" : thinkMillis;
    return Duration.ofMillis(Flag.integer("--think-millis", millis, 0, MAX_THINK_MILLIS)).toNanos();
  }

  /** What was chosen, in words. */
  String description() {
    String how =
        users() > 0
            ? "closed loop, " + Units.count(users()) + " users"
            : "open loop, " + Units.count(rate()) + " requests per second, " + arrivals;
    return how + ", " + duration().toSeconds() + " s";
  }
}
