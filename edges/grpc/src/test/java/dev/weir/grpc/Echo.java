package dev.weir.grpc;

import com.google.protobuf.StringValue;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service with a method of each kind. It answers what it was asked; some texts mean more. */
class Echo {
  static final String SERVICE = "test.Echo";
  static final MethodDescriptor<StringValue, StringValue> UNARY = method("Unary", MethodType.UNARY);
  static final MethodDescriptor<StringValue, StringValue> SERVER_STREAM =
      method("ServerStream", MethodType.SERVER_STREAMING);
  static final MethodDescriptor<StringValue, StringValue> CLIENT_STREAM =
      method("ClientStream", MethodType.CLIENT_STREAMING);
  static final MethodDescriptor<StringValue, StringValue> BIDI =
      method("Bidi", MethodType.BIDI_STREAMING);

  /** What handlers have received, the end of calls included. */
  final List<String> events = new CopyOnWriteArrayList<>();

  static StringValue text(String value) {
    return StringValue.of(value);
  }

  static MethodDescriptor<StringValue, StringValue> method(String name, MethodType type) {
    return MethodDescriptor.<StringValue, StringValue>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
        .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
        .build();
  }

  /** Answers a unary call. */
  void unary(StringValue request, StreamObserver<StringValue> response) {
    response.onNext(request);
    response.onCompleted();
  }

  private void serverStream(StringValue request, StreamObserver<StringValue> response) {
    for (int i = 1; i <= 3; i++) {
      response.onNext(text(request.getValue() + i));
    }
    if (!request.getValue().equals("endless")) {
      response.onCompleted();
    }
  }

  private StreamObserver<StringValue> clientStream(StreamObserver<StringValue> response) {
    List<String> all = new ArrayList<>();
    return new Requests() {
      @Override
      public void onNext(StringValue request) {
        all.add(request.getValue());
      }

      @Override
      public void onCompleted() {
        response.onNext(text(String.join(",", all)));
        response.onCompleted();
      }
    };
  }

  private StreamObserver<StringValue> bidi(StreamObserver<StringValue> response) {
    return new Requests() {
      @Override
      public void onNext(StringValue request) {
        if (request.getValue().equals("throw")) {
          throw new IllegalStateException("thrown by the handler");
        }
        response.onNext(request);
      }

      @Override
      public void onCompleted() {
        response.onCompleted();
      }
    };
  }

  /** Requests of a client, whose cancellation is an event. */
  private abstract class Requests implements StreamObserver<StringValue> {
    @Override
    public void onError(Throwable failure) {
      events.add("cancelled");
    }
  }

  /** The service, with further unary methods. */
  ServerServiceDefinition service(String... unary) {
    ServerServiceDefinition.Builder service =
        ServerServiceDefinition.builder(SERVICE)
            .addMethod(UNARY, ServerCalls.asyncUnaryCall(this::unary))
            .addMethod(SERVER_STREAM, ServerCalls.asyncServerStreamingCall(this::serverStream))
            .addMethod(CLIENT_STREAM, ServerCalls.asyncClientStreamingCall(this::clientStream))
            .addMethod(BIDI, ServerCalls.asyncBidiStreamingCall(this::bidi));
    for (String name : unary) {
      service.addMethod(method(name, MethodType.UNARY), ServerCalls.asyncUnaryCall(this::unary));
    }
    return service.build();
  }
}
