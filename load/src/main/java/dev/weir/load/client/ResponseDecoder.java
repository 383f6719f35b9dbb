package dev.weir.load.client;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponseDecoder;

/** Decodes answers; those to HEAD have no body, whatever their headers say. */
final class ResponseDecoder extends HttpResponseDecoder {
  private final Connection connection;

  ResponseDecoder(Connection connection) {
    // Headers are only counted and looked up, never passed on.
    super(new HttpDecoderConfig().setValidateHeaders(false));
    this.connection = connection;
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage message) {
    return connection.isHead() || super.isContentAlwaysEmpty(message);
  }
}
