package dev.weir.server.listen;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;

/**
 * Rejects HTTP/1 heads that are well formed but not accepted: marks them as invalid, so that Vert.x
 * passes them to the invalid request handler, which sends the reason.
 */
final class RejectedHeads {
  private RejectedHeads() {}

  /** Rejects a head with too many fields, and drops the fields before the body arrives. */
  static void refuseManyFields(HttpRequest request) {
    if (request.headers().size() > HeaderSize.MAX_FIELDS) {
      request.headers().clear();
      request.setDecoderResult(DecoderResult.failure(new TooManyFields()));
    }
  }

  /**
   * Rejects versions other than 1.0 and 1.1, for which Vert.x would answer 501 without a reason.
   *
   * <p>Vert.x compares versions by identity, and so must this: one in lower case, like {@code
   * hTTP/1.1}, may equal Netty's constant and is still another version to Vert.x.
   */
  @SuppressWarnings("ReferenceEquality")
  static void refuseOtherVersions(HttpRequest request) {
    HttpVersion version = request.protocolVersion();
    if (version != HttpVersion.HTTP_1_1
        && version != HttpVersion.HTTP_1_0
        && request.decoderResult().isSuccess()) {
      request.setDecoderResult(DecoderResult.failure(new OtherVersion()));
      request.setProtocolVersion(HttpVersion.HTTP_1_1); // the version of the response
    }
  }

  /** The headers have too many fields, whatever their size. */
  static final class TooManyFields extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** The HTTP version is not supported. */
  static final class OtherVersion extends Exception {
    private static final long serialVersionUID = 1;
  }
}
