package dev.weir.rules;

import dev.weir.http.request.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request without a network. */
public record FakeRequest(
    String method,
    String target,
    @Nullable String authority,
    Map<String, List<String>> fields,
    @Nullable String peer,
    @Nullable String principal)
    implements HttpRequest {

  public static FakeRequest get(String target) {
    return of("GET", target);
  }

  static FakeRequest post(String target) {
    return of("POST", target);
  }

  static FakeRequest of(String method, String target) {
    return new FakeRequest(method, target, "example.com", Map.of(), "203.0.113.7", null);
  }

  FakeRequest with(String header, String value) {
    Map<String, List<String>> more = new HashMap<>(fields);
    more.put(header.toLowerCase(Locale.ROOT), List.of(value));
    return new FakeRequest(method, target, authority, Map.copyOf(more), peer, principal);
  }

  FakeRequest from(String address) {
    return new FakeRequest(method, target, authority, fields, address, principal);
  }

  FakeRequest at(String host) {
    return new FakeRequest(method, target, host, fields, peer, principal);
  }

  FakeRequest by(String user) {
    return new FakeRequest(method, target, authority, fields, peer, user);
  }

  @Override
  public List<String> headers(String name) {
    return fields.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }
}
