package dev.weir.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.weir.StoreFailure;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.log.Failures;
import dev.weir.server.rls.RlsRequest;
import dev.weir.server.transport.ByteBudget;
import dev.weir.server.wire.Gzip;
import io.netty.util.AsciiString;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A unary gRPC call: every request gets one answer, a message or a status, and a malformed request
 * cannot harm others.
 *
 * <p>It is gRPC in its simplest form, directly on HTTP/2. The gRPC server of Vert.x is built for
 * bidirectional streams, whose overhead a call as short as this one would pay; and there a
 * malformed message ends the call without a reason, and a small one may be decompressed to any
 * size.
 */
final class UnaryCall<Q extends MessageLite, A extends MessageLite> {
  /** The maximum size of a message, both as received and decompressed. */
  static final int MAX_BYTES = 4 << 20;

  private static final Logger LOG = System.getLogger(UnaryCall.class.getName());

  private static final CharSequence GRPC = AsciiString.cached("application/grpc");
  private static final CharSequence STATUS = AsciiString.cached("grpc-status");
  private static final CharSequence REASON = AsciiString.cached("grpc-message");
  private static final CharSequence OK = AsciiString.cached("0");

  private final HttpServerRequest request;
  private final Reader<Q> reader;
  private final Function<Q, CompletionStage<A>> answerer;
  private final Runnable unreadable;
  private final ByteBudget.Share share;
  private final @Nullable Context context = Vertx.currentContext();
  private @Nullable Buffer received;
  private boolean answered;

  /** Ends the call with this status instead of an answer. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    final transient GrpcStatus status;

    Failed(GrpcStatus status, String message) {
      super(message, null, false, false);
      this.status = status;
    }
  }

  /** Parses a message. */
  @FunctionalInterface
  interface Reader<Q> {
    /**
     * Parses the bytes of a message.
     *
     * @throws InvalidProtocolBufferException if they are malformed
     * @throws Failed or {@link RlsRequest.Refused}, if the message exceeds a bound
     */
    Q read(byte[] message) throws InvalidProtocolBufferException;
  }

  private UnaryCall(
      HttpServerRequest request,
      Reader<Q> reader,
      Function<Q, CompletionStage<A>> answerer,
      Runnable unreadable,
      ByteBudget.Share share) {
    this.request = request;
    this.share = share;
    this.reader = reader;
    this.answerer = answerer;
    this.unreadable = unreadable;
  }

  /** Whether a request is a call with messages in protobuf encoding. */
  static boolean isUnary(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return HttpMethod.POST.equals(request.method())
        && type != null
        && (type.equals("application/grpc") || type.equals("application/grpc+proto"));
  }

  /**
   * Answers a call with what {@code answerer} returns or throws.
   *
   * @param unreadable called for a message that cannot be parsed, and never gets to {@code
   *     answerer}
   * @param share the memory budget for the message while it arrives
   */
  static <Q extends MessageLite, A extends MessageLite> void answer(
      HttpServerRequest request,
      Reader<Q> reader,
      Function<Q, CompletionStage<A>> answerer,
      Runnable unreadable,
      ByteBudget.Share share) {
    UnaryCall<Q, A> call = new UnaryCall<>(request, reader, answerer, unreadable, share);
    request.exceptionHandler(gone -> call.drop());
    // This server may also reset the stream, which the request does not report.
    request.response().closeHandler(closed -> call.drop());
    request.handler(call::onChunk);
    request.endHandler(ended -> call.decide());
  }

  /** Rejects a request without reading it. */
  static void refuse(HttpServerRequest request, GrpcStatus status, String reason) {
    var unused =
        request
            .response()
            .putHeader(HttpHeaders.CONTENT_TYPE, GRPC)
            .putHeader(STATUS, Integer.toString(status.code))
            .putHeader(REASON, reason)
            .end();
  }

  /** Releases the message of a client that is gone; nothing is decided for it. */
  private void drop() {
    answered = true;
    received = null;
    share.end();
  }

  private void onChunk(Buffer chunk) {
    if (answered) {
      return;
    }
    if (!share.grow(chunk.length())) {
      reject(tooMuch());
      return;
    }
    received = received == null ? chunk : received.appendBuffer(chunk);
    if (received.length() >= GrpcFrame.PREFIX && received.getUnsignedInt(1) > MAX_BYTES) {
      reject(tooLarge());
    } else if (received.length() > GrpcFrame.PREFIX + MAX_BYTES) {
      reject(several());
    }
  }

  private static Failed tooMuch() {
    return new Failed(GrpcStatus.RESOURCE_EXHAUSTED, "too many messages arrive at once");
  }

  private static Failed tooLarge() {
    String expected = "at most " + MAX_BYTES + " bytes";
    return new Failed(
        GrpcStatus.RESOURCE_EXHAUSTED, "message: too large (expected: " + expected + ")");
  }

  private static Failed several() {
    return new Failed(GrpcStatus.INVALID_ARGUMENT, "message: several (expected: one)");
  }

  private void decide() {
    if (answered) {
      return;
    }
    Q message;
    try {
      message = reader.read(message());
    } catch (Failed | RlsRequest.Refused e) {
      reject(e);
      return;
    } catch (InvalidProtocolBufferException e) {
      reject(new Failed(GrpcStatus.INVALID_ARGUMENT, "message: cannot be read"));
      return;
    }
    received = null;
    share.end();
    try {
      var unused = answerer.apply(message).whenComplete(this::finishInContext);
    } catch (RuntimeException | StackOverflowError e) {
      fail(e);
    }
  }

  private byte[] message() {
    Buffer frame = received;
    if (frame == null || frame.length() < GrpcFrame.PREFIX) {
      throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: none (expected: one)");
    }
    long end = GrpcFrame.PREFIX + frame.getUnsignedInt(1);
    if (frame.length() > end) {
      throw several();
    }
    if (frame.length() < end) {
      throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: cut off");
    }
    byte[] message = frame.getBytes(GrpcFrame.PREFIX, frame.length());
    return frame.getByte(0) == 0 ? message : decompressed(message);
  }

  private byte[] decompressed(byte[] compressed) {
    String encoding = request.getHeader("grpc-encoding");
    if (encoding == null || encoding.equals("identity")) {
      throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: cannot be read");
    }
    if (!encoding.equals("gzip")) {
      throw new Failed(GrpcStatus.UNIMPLEMENTED, "encoding: not one of: identity, gzip");
    }
    try {
      byte[] bytes = Gzip.decompress(compressed, MAX_BYTES).orElseThrow(UnaryCall::tooLarge);
      if (!share.grow(bytes.length)) {
        throw tooMuch();
      }
      return bytes;
    } catch (IOException e) {
      throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: not valid gzip");
    }
  }

  private void reject(RuntimeException reason) {
    unreadable.run();
    fail(reason);
  }

  /** Returns to the event loop of the call: a shared store answers on a thread of its own. */
  private void finishInContext(A answer, @Nullable Throwable failure) {
    if (context == null || context == Vertx.currentContext()) {
      finish(answer, failure);
    } else {
      context.runOnContext(now -> finish(answer, failure));
    }
  }

  private void finish(A answer, @Nullable Throwable failure) {
    if (failure != null) {
      fail(failure);
      return;
    }
    end(
        response -> {
          response.putTrailer(STATUS, OK);
          var unused = response.end(GrpcFrame.of(answer));
        });
  }

  private void fail(Throwable thrown) {
    Throwable failure = StoreFailure.cause(thrown);
    if (failure instanceof Failed failed) {
      fail(failed.status, String.valueOf(failed.getMessage()));
    } else if (failure instanceof RlsRequest.Refused refused) {
      fail(GrpcStatus.INVALID_ARGUMENT, String.valueOf(refused.getMessage()));
    } else if (failure instanceof AccessRefused refused) {
      fail(
          refused.doesTokenHelp() ? GrpcStatus.UNAUTHENTICATED : GrpcStatus.PERMISSION_DENIED,
          String.valueOf(refused.getMessage()));
    } else if (failure instanceof RlsService.NotLoaded) {
      fail(GrpcStatus.UNAVAILABLE, String.valueOf(failure.getMessage()));
    } else {
      Failures.log(LOG, "Failed to answer a gRPC call", failure);
      fail(GrpcStatus.UNAVAILABLE, "internal error of this server");
    }
  }

  /** The reason is one of our own texts, and needs no percent-encoding. */
  private void fail(GrpcStatus status, String reason) {
    end(
        response -> {
          response.putHeader(STATUS, Integer.toString(status.code)).putHeader(REASON, reason);
          var unused = response.end();
        });
  }

  /** Ends the call, unless it has ended. */
  private void end(Consumer<HttpServerResponse> writer) {
    if (answered) {
      return;
    }
    answered = true;
    received = null;
    share.end();
    try {
      HttpServerResponse response = request.response();
      response.putHeader(HttpHeaders.CONTENT_TYPE, GRPC);
      writer.accept(response);
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "The client is gone", e);
    }
  }
}
