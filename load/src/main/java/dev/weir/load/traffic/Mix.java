package dev.weir.load.traffic;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Requests with weights, and their callers. Immutable and thread-safe.
 *
 * @param requests the requests; at least one
 * @param callers who sends them
 */
public record Mix(List<RequestSpec> requests, Callers callers) {
  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public Mix {
    requests = List.copyOf(requests);
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("requests: none (expected: at least one)");
    }
  }

  /** The requests of one caller, each as often as its weight says. */
  public static Mix of(RequestSpec... requests) {
    return new Mix(List.of(requests), Callers.ONE);
  }

  /**
   * Requests drawn at random by their weights, each from a random caller.
   *
   * @param authority the Host of requests that do not name one
   */
  public Traffic traffic(String authority, RandomGenerator random) {
    List<RequestTemplate> templates =
        requests.stream()
            .map(spec -> new RequestTemplate(spec, authority, callers.header()))
            .toList();
    Weights weights = new Weights(requests.stream().mapToLong(RequestSpec::weight).toArray());
    return () -> {
      RequestTemplate template = templates.get(weights.draw(random));
      return template.render(Callers.name(1 + random.nextInt(callers.count())));
    };
  }
}
