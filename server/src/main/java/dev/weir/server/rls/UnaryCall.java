package dev.weir.server.rls;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.weir.StoreFailure;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.log.Failures;
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
 * One message, one answer: whatever comes is answered once, with a message or with a status, and
 * nothing that comes does harm to others.
 *
 * <p>It is gRPC in its simplest form, on HTTP/2 itself. The server of Vert.x is made for streams in
 * both directions, for which a call as short as this one would pay; and there a message that cannot
 * be read makes the call end without a reason, and a small one may be decompressed to any size.
 */
final class UnaryCall<Q extends MessageLite, A extends MessageLite> {
  /** The largest message, as it comes and decompressed. */
  static final int MAX_BYTES = 4 << 20;

  private static final Logger LOG = System.getLogger(UnaryCall.class.getName());

  private static final CharSequence GRPC = AsciiString.cached("application/grpc");
  private static final CharSequence STATUS = AsciiString.cached("grpc-status");
  private static final CharSequence REASON = AsciiString.cached("grpc-message");
  private static final CharSequence FINE = AsciiString.cached("0");

  private final HttpServerRequest request;
  private final Reader<Q> reader;
  private final Function<Q, CompletionStage<A>> answerer;
  private final Runnable unread;
  private final ByteBudget.Share share;
  private final @Nullable Context context = Vertx.currentContext();
  private @Nullable Buffer arrived;
  private boolean answered;

  /** The status that a client gets instead of an answer. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    final transient GrpcStatus status;

    Failed(GrpcStatus status, String message) {
      super(message, null, false, false);
      this.status = status;
    }
  }

  /** Makes a message of bytes. */
  @FunctionalInterface
  interface Reader<Q> {
    /**
     * The message that they are.
     *
     * @throws InvalidProtocolBufferException if they are none
     * @throws Failed or {@link RlsRequest.Refused}, if it is not to be made
     */
    Q read(byte[] message) throws InvalidProtocolBufferException;
  }

  private UnaryCall(
      HttpServerRequest request,
      Reader<Q> reader,
      Function<Q, CompletionStage<A>> answerer,
      Runnable unread,
      ByteBudget.Share share) {
    this.request = request;
    this.share = share;
    this.reader = reader;
    this.answerer = answerer;
    this.unread = unread;
  }

  /** Whether a request is a call of messages in the usual encoding. */
  static boolean isOne(HttpServerRequest request) {
    String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return HttpMethod.POST.equals(request.method())
        && type != null
        && (type.equals("application/grpc") || type.equals("application/grpc+proto"));
  }

  /**
   * Answers a call, with what {@code answerer} says or throws.
   *
   * @param unread called for what never gets to {@code answerer}, because it cannot be read
   * @param share what the message may keep while it arrives
   */
  static <Q extends MessageLite, A extends MessageLite> void answer(
      HttpServerRequest request,
      Reader<Q> reader,
      Function<Q, CompletionStage<A>> answerer,
      Runnable unread,
      ByteBudget.Share share) {
    UnaryCall<Q, A> call = new UnaryCall<>(request, reader, answerer, unread, share);
    request.exceptionHandler(gone -> call.drop());
    // Also when this server cuts the stream, of which the request itself does not hear.
    request.response().closeHandler(closed -> call.drop());
    request.handler(call::keep);
    request.endHandler(whole -> call.decide());
  }

  /** Answers a request of which nothing is read. */
  static void refuse(HttpServerRequest request, GrpcStatus status, String reason) {
    var unused =
        request
            .response()
            .putHeader(HttpHeaders.CONTENT_TYPE, GRPC)
            .putHeader(STATUS, Integer.toString(status.code))
            .putHeader(REASON, reason)
            .end();
  }

  /** The client is gone: nothing is kept for it, and nothing asked. */
  private void drop() {
    answered = true;
    arrived = null;
    share.end();
  }

  private void keep(Buffer chunk) {
    if (answered) {
      return;
    }
    if (!share.grow(chunk.length())) {
      refuse(tooMuch());
      return;
    }
    arrived = arrived == null ? chunk : arrived.appendBuffer(chunk);
    if (arrived.length() >= GrpcFrame.PREFIX && arrived.getUnsignedInt(1) > MAX_BYTES) {
      refuse(tooLarge());
    } else if (arrived.length() > GrpcFrame.PREFIX + MAX_BYTES) {
      refuse(several());
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
    Q asked;
    try {
      asked = reader.read(message());
    } catch (Failed | RlsRequest.Refused e) {
      refuse(e);
      return;
    } catch (InvalidProtocolBufferException e) {
      refuse(new Failed(GrpcStatus.INVALID_ARGUMENT, "message: cannot be read"));
      return;
    }
    arrived = null;
    share.end();
    try {
      var unused = answerer.apply(asked).whenComplete(this::finishInContext);
    } catch (RuntimeException | StackOverflowError e) {
      fail(e);
    }
  }

  private byte[] message() {
    Buffer whole = arrived;
    if (whole == null || whole.length() < GrpcFrame.PREFIX) {
      throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: none (expected: one)");
    }
    long end = GrpcFrame.PREFIX + whole.getUnsignedInt(1);
    if (whole.length() > end) {
      throw several();
    }
    if (whole.length() < end) {
      throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: cut off");
    }
    byte[] message = whole.getBytes(GrpcFrame.PREFIX, whole.length());
    return whole.getByte(0) == 0 ? message : decompressed(message);
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
      throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: not what gzip makes");
    }
  }

  private void refuse(RuntimeException why) {
    unread.run();
    fail(why);
  }

  /** A store elsewhere answers on a thread of its own. */
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
          response.putTrailer(STATUS, FINE);
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
      Failures.log(LOG, "A call could not be answered", failure);
      fail(GrpcStatus.UNAVAILABLE, "an error of this server");
    }
  }

  /** A reason is in our own words, without anything that would have to be escaped. */
  private void fail(GrpcStatus status, String reason) {
    end(
        response -> {
          response.putHeader(STATUS, Integer.toString(status.code)).putHeader(REASON, reason);
          var unused = response.end();
        });
  }

  /** Ends the call, unless it has ended. */
  private void end(Consumer<HttpServerResponse> way) {
    if (answered) {
      return;
    }
    answered = true;
    arrived = null;
    share.end();
    try {
      HttpServerResponse response = request.response();
      response.putHeader(HttpHeaders.CONTENT_TYPE, GRPC);
      way.accept(response);
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "The client is gone", e);
    }
  }
}
