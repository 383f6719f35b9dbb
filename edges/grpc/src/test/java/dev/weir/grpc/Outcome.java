package dev.weir.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a call ended, as a client sees it. */
record Outcome(Status status, String response, Metadata headers, Metadata trailers) {
  static Outcome ok(String response, Metadata headers, Metadata trailers) {
    return new Outcome(Status.OK, response, headers, trailers);
  }

  static Outcome failed(StatusRuntimeException failure, @Nullable Metadata headers) {
    Metadata trailers = failure.getTrailers();
    return new Outcome(
        failure.getStatus(),
        "",
        headers == null ? new Metadata() : headers,
        trailers == null ? new Metadata() : trailers);
  }

  Status.Code code() {
    return status.getCode();
  }

  @Nullable String header(String name) {
    return headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  @Nullable String trailer(String name) {
    return trailers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  /** One of the details, as every client of gRPC finds it. */
  <T extends Message> Optional<T> detail(Class<T> type) throws InvalidProtocolBufferException {
    com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
    for (Any one : details.getDetailsList()) {
      if (one.is(type)) {
        return Optional.of(one.unpack(type));
      }
    }
    return Optional.empty();
  }
}
