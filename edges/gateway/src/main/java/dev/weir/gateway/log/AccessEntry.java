package dev.weir.gateway.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the access log says of one request. Immutable.
 *
 * @param time when the request arrived
 * @param request what the client sent
 * @param status of the response; 0 if there was none
 * @param requestBytes of the body that was forwarded
 * @param responseBytes of the body that was sent to the client
 * @param micros from the arrival of the headers to the end of the response
 * @param waitMillis how long the request was held back by a leaky bucket
 * @param outcome in a word: {@code complete}, {@code denied}, {@code shed}, …
 * @param rule that decided; null if none applied
 * @param upstream the name of the upstream; null if there was none
 * @param server the URL of the server that got it last; null if none did
 * @param requestId the value of {@code X-Request-Id}
 * @param traceId the identifier of its trace
 */
public record AccessEntry(
    Instant time,
    Request request,
    int status,
    long requestBytes,
    long responseBytes,
    long micros,
    long waitMillis,
    String outcome,
    @Nullable String rule,
    @Nullable String upstream,
    @Nullable String server,
    String requestId,
    String traceId) {

  /**
   * The request itself.
   *
   * @param client the address of the client; null if it has none
   * @param protocol such as {@code HTTP/1.1}
   * @param host what the client asked for; null if nothing
   * @param referer the value of {@code Referer}; null if there is none
   * @param userAgent the value of {@code User-Agent}; null if there is none
   */
  public record Request(
      @Nullable String client,
      String method,
      String target,
      String protocol,
      @Nullable String host,
      @Nullable String referer,
      @Nullable String userAgent) {}
}
