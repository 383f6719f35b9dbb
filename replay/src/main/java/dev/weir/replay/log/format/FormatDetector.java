package dev.weir.replay.log.format;

import dev.weir.replay.log.line.Draft;
import dev.weir.replay.log.line.EntryAssembler;
import dev.weir.replay.log.line.LineParser;
import dev.weir.replay.log.line.LogFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the format that most of some lines have. For one thread. */
public final class FormatDetector {
  private final Draft draft = new Draft();

  /**
   * How well lines fit a format.
   *
   * @param requests lines that record one
   * @param skipped lines that record none, but are right
   * @param bad the others
   * @param problem what is wrong with the first of those
   * @param progress how far that one fits
   */
  public record Fit(
      LogFormat format, int requests, int skipped, int bad, String problem, int progress) {
    /** Whether no line fits. */
    public boolean isNone() {
      return requests == 0 && bad > 0;
    }

    private boolean isGood() {
      return bad == 0 ? requests + skipped > 0 : requests >= bad;
    }
  }

  /** How well lines fit a format. */
  public Fit fit(LogFormat format, List<byte[]> lines) {
    LineParser parser = format.parser();
    EntryAssembler assembler = new EntryAssembler(parser.headers(), 0, false);
    int requests = 0;
    int skipped = 0;
    int bad = 0;
    int progress = 0;
    String problem = "";
    for (byte[] line : lines) {
      draft.begin(line, 0, line.length);
      boolean parsed = parser.parse(draft);
      boolean request = parsed && !draft.isSkipped() && assembler.assemble(draft, 1) != null;
      if (request) {
        requests++;
      } else if (draft.isSkipped() || line.length == 0) {
        skipped++;
      } else if (bad++ == 0) {
        problem = draft.problem();
        int fitting = draft.progress();
        // Spaces between words fit anything; a time does not.
        progress = parsed ? line.length : assembler.hasTime(draft) ? fitting : 0;
      }
    }
    return new Fit(format, requests, skipped, bad, problem, progress);
  }

  /** The format that fits best; null if none does. */
  public @Nullable LogFormat detect(List<byte[]> lines) {
    Fit best = null;
    for (LogFormat format : LogFormats.all()) {
      Fit fit = fit(format, lines);
      if (fit.isGood() && (best == null || fit.requests > best.requests)) {
        best = fit;
      }
    }
    return best == null ? null : best.format;
  }

  /** What lines look like that are not what they should be, and what to do about it. */
  public String advice(List<byte[]> lines) {
    LogFormat detected = detect(lines);
    if (detected != null) {
      return "it looks like " + detected.name() + ": give --format " + detected.name();
    }
    Fit best = null;
    for (LogFormat format : LogFormats.all()) {
      Fit fit = fit(format, lines);
      // Nobody has a log that is nearly one of Weir.
      boolean own = format.name().startsWith("weir");
      if (!own && (best == null || fit.progress > best.progress)) {
        best = fit;
      }
    }
    if (best == null || best.progress == 0) {
      return "it looks like no known format (known: " + String.join(", ", LogFormats.names()) + ")";
    }
    boolean json = best.format.name().contains("json");
    return "it looks most like "
        + best.format.name()
        + ", but "
        + best.problem
        + (json
            ? ": say what its members mean with --field"
            : ": give --format nginx (or apache, envoy) and --log-format '...' of the server");
  }

  /** What a single line looks like; empty if like nothing known. */
  public String looksLike(byte[] line) {
    LogFormat detected = detect(List.of(line));
    return detected == null ? "" : "; it looks like " + detected.name();
  }
}
