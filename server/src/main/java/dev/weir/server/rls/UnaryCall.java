package dev.weir.server.rls;

import dev.weir.server.wire.Gzip;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.CodecException;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServerRequest;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One message, one answer: whatever comes is answered once, with a message or with a status, and
 * nothing that comes does harm to others.
 *
 * <p>Messages are decoded here, and not where Vert.x would: there one that cannot be read makes the
 * call end without a reason, and a small one may unfold to any size.
 */
final class UnaryCall<Q, A> {
  /** The largest message, as it comes and unfolded. */
  static final int MOST_BYTES = 4 << 20;

  private static final Logger LOG = System.getLogger(UnaryCall.class.getName());

  private final GrpcServerRequest<Q, A> request;
  private final GrpcMessageDecoder<Q> decoder;
  private final Function<Q, CompletionStage<A>> answerer;
  private final Runnable unread;
  private final @Nullable Context context = Vertx.currentContext();
  private @Nullable GrpcMessage message;
  private boolean answered;

  /** What a client is told instead of an answer. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    final transient GrpcStatus status;

    Failed(GrpcStatus status, String message) {
      super(message, null, false, false);
      this.status = status;
    }
  }

  private UnaryCall(
      GrpcServerRequest<Q, A> request,
      GrpcMessageDecoder<Q> decoder,
      Function<Q, CompletionStage<A>> answerer,
      Runnable unread) {
    this.request = request;
    this.decoder = decoder;
    this.answerer = answerer;
    this.unread = unread;
  }

  /**
   * Answers a call, with what {@code answerer} says or throws.
   *
   * @param unread told of what never gets to {@code answerer}, because it cannot be read
   */
  static <Q, A> UnaryCall<Q, A> answer(
      GrpcServerRequest<Q, A> request,
      GrpcMessageDecoder<Q> decoder,
      Function<Q, CompletionStage<A>> answerer,
      Runnable unread) {
    UnaryCall<Q, A> call = new UnaryCall<>(request, decoder, answerer, unread);
    request.errorHandler(gone -> call.answered = true);
    request.exceptionHandler(gone -> call.answered = true);
    request.invalidMessageHandler(
        tooLarge -> call.refuse(GrpcStatus.RESOURCE_EXHAUSTED, tooLarge(MOST_BYTES)));
    request.messageHandler(call::keep);
    request.endHandler(whole -> call.decide());
    return call;
  }

  private static String tooLarge(int most) {
    return "message: too large (expected: at most " + most + " bytes)";
  }

  private void keep(GrpcMessage arrived) {
    if (message == null) {
      message = arrived;
    } else {
      refuse(GrpcStatus.INVALID_ARGUMENT, "message: several (expected: one)");
    }
  }

  private void decide() {
    if (answered) {
      return;
    }
    Q asked;
    try {
      if (message == null) {
        throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: none (expected: one)");
      }
      asked = decoder.decode(plain(message));
    } catch (Failed e) {
      refuse(e.status, String.valueOf(e.getMessage()));
      return;
    } catch (CodecException e) {
      refuse(GrpcStatus.INVALID_ARGUMENT, "message: cannot be read");
      return;
    } catch (RuntimeException | StackOverflowError e) {
      unread.run();
      fail(e);
      return;
    }
    try {
      var unused = answerer.apply(asked).whenComplete(this::finishInContext);
    } catch (RuntimeException | StackOverflowError e) {
      fail(e);
    }
  }

  private void refuse(GrpcStatus status, String reason) {
    if (!answered) {
      unread.run();
      fail(status, reason);
    }
  }

  private static GrpcMessage plain(GrpcMessage message) {
    return switch (String.valueOf(message.encoding())) {
      case "identity" -> message;
      case "gzip" -> GrpcMessage.message("identity", message.format(), unfold(message.payload()));
      default -> throw new Failed(GrpcStatus.UNIMPLEMENTED, "encoding: not one of: identity, gzip");
    };
  }

  private static Buffer unfold(Buffer folded) {
    try {
      return Gzip.unfold(folded.getBytes(), MOST_BYTES)
          .map(Buffer::buffer)
          .orElseThrow(() -> new Failed(GrpcStatus.RESOURCE_EXHAUSTED, tooLarge(MOST_BYTES)));
    } catch (IOException e) {
      throw new Failed(GrpcStatus.INVALID_ARGUMENT, "message: not what gzip makes");
    }
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
    if (answered) {
      return;
    }
    if (failure != null) {
      fail(failure);
      return;
    }
    answered = true;
    try {
      var unused = request.response().end(answer);
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "The client is gone", e);
    }
  }

  private void fail(Throwable thrown) {
    Throwable failure =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (failure instanceof Failed failed) {
      fail(failed.status, String.valueOf(failed.getMessage()));
    } else if (failure instanceof RlsRequest.Refused refused) {
      fail(GrpcStatus.INVALID_ARGUMENT, String.valueOf(refused.getMessage()));
    } else if (failure instanceof RlsService.NotLoaded) {
      fail(GrpcStatus.UNAVAILABLE, String.valueOf(failure.getMessage()));
    } else {
      LOG.log(Level.ERROR, "A call could not be answered", failure);
      fail(GrpcStatus.UNAVAILABLE, "an error of this server");
    }
  }

  /** Ends the call, unless it has ended. */
  void fail(GrpcStatus status, String reason) {
    if (answered) {
      return;
    }
    answered = true;
    try {
      var unused = request.response().status(status).statusMessage(reason).end();
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "The client is gone", e);
    }
  }
}
