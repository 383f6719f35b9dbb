package dev.weir.server.grpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A message as gRPC sends it: after a prefix with its length. */
final class GrpcFrame {
  /** Bytes before each message: whether it is compressed, and its length. */
  static final int PREFIX = 5;

  private GrpcFrame() {}

  static Buffer of(MessageLite message) {
    int size = message.getSerializedSize();
    byte[] bytes = new byte[PREFIX + size];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, PREFIX, size);
      message.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Buffer.buffer(bytes).setInt(1, size);
  }
}
