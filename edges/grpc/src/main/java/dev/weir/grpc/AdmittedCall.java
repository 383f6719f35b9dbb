package dev.weir.grpc;

import dev.weir.library.RulesLimiter;
import dev.weir.library.web.Admission;
import dev.weir.library.web.ResponseStyle;
import io.grpc.Attributes;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.List;
import java.util.stream.Stream;

/**
 * A call that may pass: it sends the rate limit headers, with the headers of the response or, if
 * there are none, with its trailers; and releases its permits before it closes, so that a client
 * that has its response finds them free.
 */
final class AdmittedCall<ReqT, RespT> extends SimpleForwardingServerCall<ReqT, RespT> {
  /** The limiters that have decided about a call. */
  private static final Attributes.Key<List<RulesLimiter>> SEEN =
      Attributes.Key.create("dev.weir.grpc.seen");

  private final Admission admission;
  private final ResponseStyle style;
  private final Attributes attributes;
  private boolean headersSent;

  AdmittedCall(
      ServerCall<ReqT, RespT> call,
      RulesLimiter limiter,
      Admission admission,
      ResponseStyle style) {
    super(call);
    this.admission = admission;
    this.style = style;
    List<RulesLimiter> all = Stream.concat(seen(call).stream(), Stream.of(limiter)).toList();
    this.attributes = call.getAttributes().toBuilder().set(SEEN, all).build();
  }

  private static List<RulesLimiter> seen(ServerCall<?, ?> call) {
    List<RulesLimiter> limiters = call.getAttributes().get(SEEN);
    return limiters == null ? List.of() : limiters;
  }

  static boolean isSeen(ServerCall<?, ?> call, RulesLimiter limiter) {
    return seen(call).contains(limiter);
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public void sendHeaders(Metadata headers) {
    headersSent = true;
    super.sendHeaders(withLimits(headers));
  }

  @Override
  public void close(Status status, Metadata trailers) {
    admission.close();
    super.close(status, headersSent ? trailers : withLimits(trailers));
  }

  /** A copy, because handlers may share theirs between calls. */
  private Metadata withLimits(Metadata metadata) {
    if (!admission.limited()) {
      return metadata;
    }
    Metadata copy = new Metadata();
    copy.merge(metadata);
    RateLimitMetadata.write(admission, style, copy);
    return copy;
  }
}
