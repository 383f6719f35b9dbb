package dev.weir.grpc;

import com.google.protobuf.StringValue;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The responses of a streaming call. */
final class Responses implements StreamObserver<StringValue> {
  final List<String> texts = new CopyOnWriteArrayList<>();
  final CompletableFuture<Status> ended = new CompletableFuture<>();

  /** How the call ended; waits for it. */
  Status.Code code() throws Exception {
    return ended.get(60, TimeUnit.SECONDS).getCode();
  }

  @Override
  public void onNext(StringValue response) {
    texts.add(response.getValue());
  }

  @Override
  public void onError(Throwable failure) {
    ended.complete(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    ended.complete(Status.OK);
  }
}
