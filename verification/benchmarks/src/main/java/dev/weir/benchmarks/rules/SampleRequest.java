package dev.weir.benchmarks.rules;

import dev.weir.http.request.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request as a server passes it on: from a client behind two proxies. */
record SampleRequest(String method, String target, Map<String, List<String>> all)
    implements HttpRequest {

  static SampleRequest of(int caller, String token) {
    return new SampleRequest(
        "POST",
        "/api/rides/request?from=home&to=work",
        Map.of(
            "x-api-key", List.of("key-0000-0000-" + caller),
            "x-tenant", List.of("tenant-" + caller % 100),
            "x-plan", List.of("pro"),
            "authorization", List.of("Bearer " + token),
            "x-forwarded-for", List.of("203.0.113." + caller % 250 + ", 10.1.2.3"),
            "user-agent", List.of("bench/1.0"),
            "accept", List.of("application/json")));
  }

  @Override
  public String authority() {
    return "api.example.com:443";
  }

  @Override
  public List<String> headers(String name) {
    List<String> values = all.get(name);
    return values != null ? values : all.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public @Nullable String peer() {
    return "10.9.8.7";
  }
}
