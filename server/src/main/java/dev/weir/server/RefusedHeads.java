package dev.weir.server;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Requests of HTTP/1 that are whole and well formed, and refused all the same: they are marked as
 * invalid, so that Vert.x hands them to the handler of invalid requests, which says why.
 */
final class RefusedHeads {
  private RefusedHeads() {}

  /** None of them is kept while the body arrives. */
  static void refuseManyFields(HttpRequest request) {
    if (request.headers().size() > HeaderWeight.MAX_FIELDS) {
      request.headers().clear();
      request.setDecoderResult(DecoderResult.failure(new TooManyFields()));
    }
  }

  /**
   * Vert.x would say 501 and not why; this way the request is invalid like others.
   *
   * <p>Vert.x knows a version by its identity, and so must this: one in small letters, like {@code
   * hTTP/1.1}, may equal Netty's and is still another.
   */
  @SuppressWarnings("ReferenceEquality")
  static void refuseOtherVersions(HttpRequest request) {
    HttpVersion version = request.protocolVersion();
    if (version != HttpVersion.HTTP_1_1
        && version != HttpVersion.HTTP_1_0
        && request.decoderResult().isSuccess()) {
      request.setDecoderResult(DecoderResult.failure(new OtherVersion()));
      request.setProtocolVersion(HttpVersion.HTTP_1_1); // that of the answer
    }
  }

  /** A request whose headers are small, perhaps, but far too many. */
  static final class TooManyFields extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** A version of HTTP that is not spoken here. */
  static final class OtherVersion extends Exception {
    private static final long serialVersionUID = 1;
  }
}
