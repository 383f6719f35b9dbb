package dev.weir.grpc;

import dev.weir.http.request.HttpRequest;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call as the HTTP request that carries it: {@code POST /package.Service/Method}. */
final class CallRequest implements HttpRequest {
  private static final String BINARY = Metadata.BINARY_HEADER_SUFFIX;

  private final ServerCall<?, ?> call;
  private final Metadata metadata;
  private final CallIdentity identity;
  private final Context context = Context.current();

  CallRequest(ServerCall<?, ?> call, Metadata metadata, CallIdentity identity) {
    this.call = call;
    this.metadata = metadata;
    this.identity = identity;
  }

  static String target(ServerCall<?, ?> call) {
    return "/" + call.getMethodDescriptor().getFullMethodName();
  }

  @Override
  public String method() {
    return "POST";
  }

  @Override
  public String target() {
    return target(call);
  }

  @Override
  public @Nullable String authority() {
    return call.getAuthority();
  }

  /** Values in ASCII; binary metadata is not text, and no rule can read it. */
  @Override
  public List<String> headers(String name) {
    Iterable<String> values = name.endsWith(BINARY) ? null : metadata.getAll(key(name));
    if (values == null) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    values.forEach(all::add);
    return all;
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  @Override
  public @Nullable String peer() {
    return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress a
            && a.getAddress() != null
        ? a.getAddress().getHostAddress()
        : null;
  }

  @Override
  public @Nullable String principal() {
    Context previous = context.attach();
    try {
      return identity.principal(call, metadata);
    } finally {
      context.detach(previous);
    }
  }

  @Override
  public String toString() {
    return method() + " " + target();
  }
}
