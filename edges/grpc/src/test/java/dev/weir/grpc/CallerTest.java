package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import dev.weir.library.Weir;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.Seeds;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status.Code;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What rules read of a call and its caller. */
@Timeout(120)
class CallerTest {
  private final Weir weir = Weir.inMemory();

  @AfterEach
  void close() {
    weir.close();
  }

  private static MethodDescriptor<StringValue, StringValue> method(String name) {
    return Echo.method(name, MethodType.UNARY);
  }

  @Test
  void rulesReadMetadataAddressAndPrincipal() throws Exception {
    Context.Key<String> user = Context.key("user");
    ServerInterceptor authentication =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            String name = headers.get(key("x-user"));
            return Contexts.interceptCall(
                Context.current().withValue(user, name == null ? "nobody" : name),
                call,
                headers,
                next);
          }
        };
    String rules =
        """
        identity: {tenant: header X-Tenant}
        rules:
          - {name: by-user, match: {path: /test.Echo/User}, per: principal, limit: 1/hour}
          - {name: by-tenant, match: {path: /test.Echo/Tenant}, per: tenant, limit: 1/hour}
          - {name: by-ip, match: {path: /test.Echo/Ip, method: POST}, per: ip, limit: 1/hour}
        """;
    WeirServerInterceptor interceptor =
        WeirServerInterceptor.builder(weir.rules(RulesText.of("rules.yaml", rules)))
            .identity((call, headers) -> user.get())
            .build();
    try (RunningServer server =
        RunningServer.start(
            new Echo().service("User", "Tenant", "Ip"),
            one -> one,
            one -> one,
            authentication,
            interceptor)) {
      assertThat(code(server, "User", "x-user", "ann")).isEqualTo(Code.OK);
      assertThat(code(server, "User", "x-user", "bob")).isEqualTo(Code.OK);
      assertThat(code(server, "User", "x-user", "ann")).isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(code(server, "Tenant", "x-tenant", "a")).isEqualTo(Code.OK);
      assertThat(code(server, "Tenant", "x-tenant", "b")).isEqualTo(Code.OK);
      assertThat(code(server, "Tenant", "x-tenant", "a")).isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(code(server, "Ip", "x-user", "ann")).isEqualTo(Code.OK);
      assertThat(code(server, "Ip", "x-user", "bob")).isEqualTo(Code.RESOURCE_EXHAUSTED);
    }
  }

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  private static Code code(RunningServer server, String method, String name, String value) {
    Metadata metadata = new Metadata();
    metadata.put(key(name), value);
    return server.call(method(method), "x", metadata).code();
  }

  @Test
  void garbageInMetadataIsCountedLikeAnyOtherValue() throws Exception {
    String rules =
        """
        identity: {tenant: header X-Tenant, binary: header X-Data-Bin}
        rules:
          - {name: one, per: tenant, limit: 1000/hour}
          - {name: two, per: binary, when-absent: skip, limit: 1/hour}
        """;
    Metadata.Key<byte[]> tenant = Metadata.Key.of("x-tenant", new RawMarshaller());
    Metadata.Key<byte[]> binary = Metadata.Key.of("x-data-bin", Metadata.BINARY_BYTE_MARSHALLER);
    try (RunningServer server =
        RunningServer.start(
            new Echo(), WeirServerInterceptor.of(weir.rules(RulesText.of("rules.yaml", rules))))) {
      Seeds.run(
          random -> {
            for (int i = 0; i < 50; i++) {
              byte[] bytes = new byte[random.nextInt(200)];
              random.nextBytes(bytes);
              Metadata metadata = new Metadata();
              metadata.put(tenant, bytes);
              metadata.put(binary, bytes);
              Outcome outcome = server.call(Echo.UNARY, "call " + i, metadata);
              assertThat(outcome.response()).as(outcome.status().toString()).isEqualTo("call " + i);
            }
          });
    }
  }

  /** Bytes as they are, in metadata whose name promises text. */
  private static final class RawMarshaller implements Metadata.AsciiMarshaller<byte[]> {
    @Override
    public String toAsciiString(byte[] value) {
      return new String(value, StandardCharsets.ISO_8859_1);
    }

    @Override
    public byte[] parseAsciiString(String serialized) {
      return serialized.getBytes(StandardCharsets.ISO_8859_1);
    }
  }
}
