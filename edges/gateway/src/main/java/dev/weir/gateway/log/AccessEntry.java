package dev.weir.gateway.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the access log says of one request. Immutable.
 *
 * @param time when the request arrived
 * @param request what the client sent
 * @param response what the client got
 * @param outcome in a word: {@code complete}, {@code denied}, {@code shed}, …
 * @param rule that decided; null if none applied
 * @param upstream where the request went
 * @param ids its names in logs and traces
 */
public record AccessEntry(
    Instant time,
    Request request,
    Response response,
    String outcome,
    @Nullable String rule,
    Upstream upstream,
    Ids ids) {

  /** Without what may say who the client is: its address, the query, and what its browser says. */
  AccessEntry anonymous() {
    int query = request.target().indexOf('?');
    Request known =
        new Request(
            null,
            request.method(),
            query < 0 ? request.target() : request.target().substring(0, query),
            request.protocol(),
            request.host(),
            null,
            null);
    return new AccessEntry(time, known, response, outcome, rule, upstream, ids);
  }

  /**
   * The request itself.
   *
   * @param client the address of the client; null if it has none
   * @param protocol {@code HTTP/1.0}, {@code HTTP/1.1} or {@code HTTP/2.0}
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
      @Nullable String userAgent) {
    private static final int MAX_TARGET = 2_048;
    private static final int MAX_HEADER = 512;

    /** Cuts long texts: entries that wait to be written are kept in memory. */
    public Request {
      target = target.length() <= MAX_TARGET ? target : target.substring(0, MAX_TARGET);
      referer = cut(referer);
      userAgent = cut(userAgent);
    }

    private static @Nullable String cut(@Nullable String text) {
      return text == null || text.length() <= MAX_HEADER ? text : text.substring(0, MAX_HEADER);
    }
  }

  /**
   * What the client got.
   *
   * @param status 0 if there was no response
   * @param requestBytes of the body that was forwarded
   * @param responseBytes of the body that was sent to the client
   * @param micros from the arrival of the headers to the end of the response
   * @param waitMillis how long the request was held back by a leaky bucket
   */
  public record Response(
      int status, long requestBytes, long responseBytes, long micros, long waitMillis) {}

  /**
   * Where a request went.
   *
   * @param name of the upstream; null if there was none
   * @param server the URL of the server that got it last; null if none did
   */
  public record Upstream(@Nullable String name, @Nullable String server) {}

  /**
   * The names of a request.
   *
   * @param requestId the value of {@code X-Request-Id}
   * @param traceId the identifier of its trace
   */
  public record Ids(String requestId, String traceId) {}
}
