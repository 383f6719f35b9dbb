package dev.weir.server.listen;

import dev.weir.server.reply.Replies;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** HTTP/1.1 responses as bytes, for requests that Vert.x never sees. */
final class RawResponse {
  private RawResponse() {}

  /** A problem document, after which the connection is closed. */
  static ByteBuf problem(int status, String detail) {
    String body = Replies.problem(status, detail).encode();
    String response =
        "HTTP/1.1 "
            + HttpResponseStatus.valueOf(status)
            + "\r\nConnection: close\r\nCache-Control: no-store\r\n"
            + "Content-Type: application/problem+json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    return Unpooled.copiedBuffer(response, StandardCharsets.US_ASCII);
  }
}
