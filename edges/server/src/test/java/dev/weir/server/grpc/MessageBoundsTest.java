package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.sun.management.ThreadMXBean;
import dev.weir.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.server.rls.RlsRequest;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of a message are checked before it is parsed into objects. */
class MessageBoundsTest {
  private static final int LARGEST = UnaryCall.MAX_BYTES;
  private static final long LITTLE = 4L << 20;

  /** The bytes that are allocated until a message is rejected. */
  private static long allocatedBytes(byte[] message) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> MessageBounds.read(message)).isInstanceOf(RlsRequest.Refused.class);
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @ParameterizedTest
  @CsvSource({
    "18, 0", // an empty descriptor
    "120, 1", // an unknown field
    "24, 1", // repeated hits
  })
  void tooManySmallFieldsAreRejectedBeforeParsing(byte tag, byte value) {
    byte[] message = new byte[LARGEST];
    for (int i = 0; i < LARGEST; i += 2) {
      message[i] = tag;
      message[i + 1] = value;
    }
    assertThat(allocatedBytes(message)).isLessThan(LITTLE);
  }

  @Test
  void tooManyEntriesAreRejectedBeforeParsing() {
    byte[] entries = new byte[LARGEST - 16];
    for (int i = 0; i < entries.length; i += 2) {
      entries[i] = 10;
    }
    byte[] message = new byte[5 + entries.length];
    message[0] = 18;
    for (int i = 0; i < 4; i++) {
      message[1 + i] = (byte) ((entries.length >>> (7 * i) & 127) | (i < 3 ? 128 : 0));
    }
    System.arraycopy(entries, 0, message, 5, entries.length);
    assertThat(allocatedBytes(message)).isLessThan(LITTLE);
  }

  @Test
  void largestAllowedRequestIsParsed() throws InvalidProtocolBufferException {
    RateLimitDescriptor.Entry entry =
        RateLimitDescriptor.Entry.newBuilder().setKey("key").setValue("value").build();
    RateLimitDescriptor.Builder descriptor =
        RateLimitDescriptor.newBuilder().setIsNegativeHits(true);
    descriptor.setLimit(RateLimitDescriptor.RateLimitOverride.newBuilder().setRequestsPerUnit(1));
    descriptor.getHitsAddendBuilder().setValue(3);
    for (int i = 0; i < RlsRequest.MAX_ENTRIES; i++) {
      descriptor.addEntries(entry);
    }
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("d");
    for (int i = 0; i < RlsRequest.MAX_DESCRIPTORS; i++) {
      request.addDescriptors(descriptor);
    }
    RateLimitRequest whole = request.build();
    assertThat(MessageBounds.read(whole.toByteArray())).isEqualTo(whole);
    byte[] half = Arrays.copyOf(whole.toByteArray(), whole.getSerializedSize() - 1);
    assertThatThrownBy(() -> MessageBounds.read(half))
        .isInstanceOf(InvalidProtocolBufferException.class);
  }
}
