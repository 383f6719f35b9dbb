package dev.weir.cli.options;

import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.terminal.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A request that is described and never sent: by HTTP, by the entries of a descriptor, or both. */
public final class RequestOptions {
  @Option(
      names = "--request",
      paramLabel = "'METHOD PATH'",
      description = "The request, such as 'POST /login'.")
  private @Nullable String request;

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "A header of the request; repeatable.")
  private List<String> headers = List.of();

  @Option(
      names = "--peer",
      paramLabel = "IP",
      defaultValue = "127.0.0.1",
      description = "Address of the connection: ${DEFAULT-VALUE} if not given.")
  private String peer = "";

  @Option(names = "--host", paramLabel = "HOST", description = "Short for a Host header.")
  private @Nullable String host;

  @Option(
      names = "--entry",
      paramLabel = "NAME=VALUE",
      description = "A descriptor entry, for callers that are not HTTP.")
  private List<String> entries = List.of();

  /** Whether any request is described. */
  public boolean isGiven() {
    return request != null || !entries.isEmpty();
  }

  /**
   * The request by HTTP; empty if there are only entries.
   *
   * @throws IllegalArgumentException if an argument is malformed, or there is neither
   */
  public Optional<SyntheticRequest> request() {
    if (request == null && !entries.isEmpty()) {
      return Optional.empty();
    }
    if (request == null) {
      String expected = "a method and a path, such as 'POST /login'; or --entry";
      throw new IllegalArgumentException("--request: nothing (expected: " + expected + ")");
    }
    return Optional.of(SyntheticRequest.of(request, headers, host, peer));
  }

  /**
   * The entries, by the names that rules use.
   *
   * @throws IllegalArgumentException if an argument is malformed
   */
  public Map<String, String> entries() {
    return SyntheticRequest.entries(entries);
  }

  /**
   * The request as a server takes it.
   *
   * @throws IllegalArgumentException if an argument is malformed, or there is no request
   */
  public Map<String, @Nullable Object> json() {
    Optional<SyntheticRequest> http = request();
    Map<String, @Nullable Object> json = Json.object();
    if (http.isEmpty() || !entries.isEmpty()) {
      json.put("values", entries());
    }
    http.ifPresent(one -> json.put("request", one.json()));
    return json;
  }
}
