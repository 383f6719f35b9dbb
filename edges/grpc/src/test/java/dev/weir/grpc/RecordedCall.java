package dev.weir.grpc;

import com.google.protobuf.StringValue;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The call behind an interceptor: notes what is done with it. Not thread-safe. */
class RecordedCall extends ClientCall<StringValue, StringValue> {
  final List<String> seen = new ArrayList<>();
  boolean ready = true;
  @Nullable Listener<StringValue> listener;

  @Override
  public void start(Listener<StringValue> responses, Metadata headers) {
    listener = responses;
    seen.add("start");
  }

  @Override
  public void request(int messages) {
    seen.add("request " + messages);
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    seen.add("cancel");
  }

  @Override
  public void halfClose() {
    seen.add("half close");
  }

  @Override
  public void sendMessage(StringValue message) {
    seen.add(message.getValue());
  }

  @Override
  public boolean isReady() {
    return ready;
  }
}
