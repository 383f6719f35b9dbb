package dev.weir.http;

import dev.weir.http.request.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request that a test builds. */
public final class FakeRequest implements HttpRequest {
  private String method = "GET";
  private String target = "/";
  private @Nullable String authority = "example.com";
  private @Nullable String peer = "192.0.2.5";
  private @Nullable String principal;
  private final Map<String, List<String>> headers = new TreeMap<>();

  public static FakeRequest get(String target) {
    FakeRequest request = new FakeRequest();
    request.target = target;
    return request;
  }

  public static FakeRequest from(@Nullable String peer) {
    FakeRequest request = new FakeRequest();
    request.peer = peer;
    return request;
  }

  public FakeRequest peer(@Nullable String address) {
    peer = address;
    return this;
  }

  public FakeRequest principal(@Nullable String name) {
    principal = name;
    return this;
  }

  public FakeRequest method(String sent) {
    method = sent;
    return this;
  }

  public FakeRequest authority(@Nullable String sent) {
    authority = sent;
    return this;
  }

  public FakeRequest header(String name, String value) {
    headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), n -> new ArrayList<>()).add(value);
    return this;
  }

  public FakeRequest bearer(String token) {
    return header("Authorization", "Bearer " + token);
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public @Nullable String authority() {
    return authority;
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public @Nullable String peer() {
    return peer;
  }

  @Override
  public @Nullable String principal() {
    return principal;
  }

  @Override
  public String toString() {
    return method + " " + target + " at " + authority + " from " + peer + " with " + headers;
  }
}
