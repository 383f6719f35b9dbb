package dev.weir.gateway.cost;

import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.limiter.Limiter;
import dev.weir.rule.ResponseCost.LlmUsage;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what requests cost, and settles the difference once their responses state it.
 *
 * <p>A request is {@linkplain #estimate estimated} after it was matched and before it is taken, and
 * {@linkplain #open settled} after it was granted. One object serves a gateway for all versions of
 * its rules, because it remembers how long the answers of models are. Safe for use by any number of
 * threads.
 */
public final class Costs {
  /** The estimated tokens of an answer whose length is neither limited nor known from others. */
  static final long USUAL_OUTPUT_TOKENS = 1_024;

  private final Limiter limiter;
  private final LongSupplier nanos;
  private final ModelOutputs outputs = new ModelOutputs();

  /**
   * Costs of the requests that a limiter takes.
   *
   * @param nanos a monotonic clock, in nanoseconds
   */
  public Costs(Limiter limiter, LongSupplier nanos) {
    this.limiter = limiter;
    this.nanos = nanos;
  }

  /** The time, to be read before a request is taken, for {@link #open}. */
  public long nanos() {
    return nanos.getAsLong();
  }

  /**
   * The match with the estimated cost of each charge whose true cost is the usage of a language
   * model, at most the capacity of its limit. Other charges stay.
   */
  public Match estimate(Match match, LlmRequest request) {
    if (!anyCountsUsage(match.charges()) && !anyCountsUsage(match.shadows())) {
      return match;
    }
    Usage usage = estimate(request);
    return match.withCosts(
        charge ->
            charge.rule().cost().response() instanceof LlmUsage unit
                ? Math.min(cost(unit, request, usage), charge.claim().limit().capacity())
                : charge.claim().cost());
  }

  /** Loops instead of streams here and in {@link #open}: every request comes by. */
  private static boolean anyCountsUsage(List<Charge> charges) {
    for (int i = 0; i < charges.size(); i++) {
      if (charges.get(i).rule().cost().response() instanceof LlmUsage) {
        return true;
      }
    }
    return false;
  }

  private static boolean anyDependsOnResponse(List<Charge> charges) {
    for (int i = 0; i < charges.size(); i++) {
      if (charges.get(i).rule().cost().response() != null) {
        return true;
      }
    }
    return false;
  }

  /** The estimated usage of a request. */
  Usage estimate(LlmRequest request) {
    if (request.isReadable() && !request.isAtHand()) {
      return Usage.NONE;
    }
    long output =
        request.maxOutputTokens().orElseGet(() -> request.answers() * usualOutput(request));
    return new Usage(request.inputTokens(), output);
  }

  private long usualOutput(LlmRequest request) {
    OptionalLong p95 =
        request.isReadable() ? outputs.p95(keyOf(request.model())) : outputs.highestP95();
    return request.isReadable()
        ? p95.orElse(USUAL_OUTPUT_TOKENS)
        : Math.max(USUAL_OUTPUT_TOKENS, p95.orElse(0));
  }

  private static String keyOf(@Nullable String model) {
    return model == null ? "" : model;
  }

  /** What tokens cost; a model that is not known for certain has the highest price. */
  static long cost(LlmUsage unit, LlmRequest request, Usage usage) {
    String model = request.model();
    return model == null || Descriptor.isUnusable(model)
        ? unit.ofUnknownModel(usage.inputTokens(), usage.outputTokens())
        : unit.of(model, usage.inputTokens(), usage.outputTokens());
  }

  /** Records the usage that a provider stated. */
  void onUsage(LlmRequest request, Usage usage) {
    if (request.isReadable() && request.isAtHand()) {
      outputs.record(keyOf(request.model()), usage.outputTokens() / request.answers());
    }
  }

  /**
   * The settlement of a request that was granted; empty if no charge of it depends on the response.
   *
   * @param match that was taken, with its estimates
   * @param granted the decision on it
   * @param takenNanos {@link #nanos} before it was taken
   */
  public Optional<Settlement> open(
      Match match, Decision granted, LlmRequest request, long takenNanos) {
    return granted.allowed() && anyDependsOnResponse(match.charges())
        ? Optional.of(new Settlement(this, match, granted, request, takenNanos))
        : Optional.empty();
  }

  Limiter limiter() {
    return limiter;
  }
}
