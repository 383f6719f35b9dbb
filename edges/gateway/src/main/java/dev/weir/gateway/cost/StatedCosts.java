package dev.weir.gateway.cost;

import dev.weir.rule.ResponseCost;
import dev.weir.rule.ResponseCost.LlmUsage;
import dev.weir.rule.book.Charge;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** What one response says about the cost of its request. Not thread-safe. */
final class StatedCosts {
  private static final int MIN_ERROR_STATUS = 400;

  /** How an exchange ends. */
  enum Ending {
    /** The last byte of the response arrived. */
    ENDED,
    /** The client or the upstream broke off, or the proxy gave up. */
    ABORTED,
    /** The upstream failed before it answered. */
    FAILED
  }

  private final LlmRequest request;
  private final Set<String> headers = new TreeSet<>();
  private final Map<String, Long> headerCosts = new HashMap<>();
  private final UsageReader reader;
  private final boolean readsUsage;
  private final boolean readsBody;
  private boolean encoded;
  private int status;

  StatedCosts(List<Charge> charges, LlmRequest request) {
    this.request = request;
    Set<String> paths = new HashSet<>();
    boolean usage = false;
    for (Charge charge : charges) {
      ResponseCost response = charge.rule().cost().response();
      if (response instanceof ResponseCost.Header header) {
        headers.add(header.name());
      } else if (response instanceof ResponseCost.Json json) {
        paths.add(pathOf(json));
      }
      usage |= response instanceof LlmUsage;
    }
    this.readsUsage = usage;
    this.readsBody = usage || !paths.isEmpty();
    this.reader = new UsageReader(paths);
  }

  private static String pathOf(ResponseCost.Json json) {
    return String.join(".", json.path());
  }

  /** The headers that state a cost, in lower case. */
  Set<String> headers() {
    return headers;
  }

  boolean readsUsage() {
    return readsUsage;
  }

  boolean readsBody() {
    return readsBody;
  }

  void onHead(int code, Function<String, List<String>> values) {
    status = code;
    for (String encoding : values.apply("content-encoding")) {
      encoded |= !encoding.isBlank() && !encoding.strip().equalsIgnoreCase("identity");
    }
    for (String name : headers) {
      for (String value : values.apply(name)) {
        OptionalLong cost = ScannedNumber.parse(value.strip());
        if (cost.isPresent()) {
          headerCosts.merge(name, cost.getAsLong(), Math::max);
        }
      }
    }
  }

  void onBody(byte[] bytes, int from, int to) {
    if (readsBody && !encoded) {
      reader.read(bytes, from, to);
    }
  }

  /** The true cost of a charge; the estimate, or what was seen beyond it, if it was not stated. */
  long actual(Charge charge, Ending ending) {
    long reserved = charge.claim().cost();
    ResponseCost response = charge.rule().cost().response();
    if (response == null) {
      return reserved;
    }
    if (ending == Ending.FAILED) {
      return 0;
    }
    if (response instanceof ResponseCost.Header header) {
      return headerCosts.getOrDefault(header.name(), reserved);
    }
    if (response instanceof ResponseCost.Json json) {
      return reader.value(pathOf(json)).orElse(reserved);
    }
    LlmUsage unit = (LlmUsage) response;
    Optional<Usage> usage = usage(ending);
    if (usage.isPresent()) {
      return Costs.cost(unit, request, usage.get());
    }
    return reader.hasContent() ? Math.max(reserved, Costs.cost(unit, request, seen())) : reserved;
  }

  /** Whether the response stated the cost of this charge. */
  boolean isStated(Charge charge, Ending ending) {
    ResponseCost response = charge.rule().cost().response();
    if (response instanceof ResponseCost.Header header) {
      return headerCosts.containsKey(header.name());
    }
    return response instanceof ResponseCost.Json json
        ? reader.value(pathOf(json)).isPresent()
        : isUsageComplete(ending);
  }

  /** Whether the stated usage is that of the whole answer. */
  boolean isUsageComplete(Ending ending) {
    return reader.stated().isPresent() && (ending == Ending.ENDED || reader.isComplete());
  }

  /** Whether the upstream refused the request, which costs nothing unless it says so. */
  boolean isRefused(Ending ending) {
    boolean silent = reader.stated().isEmpty() && !reader.hasContent();
    return ending == Ending.ENDED && status >= MIN_ERROR_STATUS && silent;
  }

  /** The tokens to pay for; empty if the estimate stays. */
  Optional<Usage> usage(Ending ending) {
    if (!readsUsage) {
      return Optional.empty();
    }
    if (ending == Ending.FAILED || isRefused(ending)) {
      return Optional.of(Usage.NONE);
    }
    if (isUsageComplete(ending)) {
      return reader.stated();
    }
    // Only a stream ends with its client. Any other answer the provider completes, seen or not.
    boolean streamed = !encoded && (request.isStreamed() || reader.isEventStream());
    return ending == Ending.ABORTED && streamed ? Optional.of(seen()) : Optional.empty();
  }

  private Usage seen() {
    return reader.seen(request.inputTokens());
  }
}
