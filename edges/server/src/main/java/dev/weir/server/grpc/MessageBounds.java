package dev.weir.server.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.weir.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.server.rls.RlsRequest;
import java.io.IOException;

/**
 * Checks the size of a message before it is parsed into objects: two bytes are an empty descriptor,
 * so a message of the maximum size could become two million objects of fifty bytes each before any
 * other check counts them.
 */
final class MessageBounds {
  /** A message of this size is small, whatever is in it. */
  private static final int SMALL_BYTES = 4 << 10;

  /** The maximum number of unknown fields, which newer clients may send. */
  private static final int MAX_UNKNOWN = 10_000;

  /**
   * The maximum number of fields: each descriptor, its entries with key and value, and the other
   * fields of a descriptor.
   */
  private static final int MAX_FIELDS =
      RlsRequest.MAX_DESCRIPTORS * (3 * RlsRequest.MAX_ENTRIES + 10);

  private static final Descriptor REQUEST = RateLimitRequest.getDescriptor();
  private static final int DESCRIPTORS = RateLimitRequest.DESCRIPTORS_FIELD_NUMBER;
  private static final Descriptor DESCRIPTOR = RateLimitDescriptor.getDescriptor();
  private static final int ENTRIES = RateLimitDescriptor.ENTRIES_FIELD_NUMBER;

  private final CodedInputStream in;
  private int fields;
  private int unknown;

  private MessageBounds(byte[] message) {
    in = CodedInputStream.newInstance(message);
  }

  /**
   * Parses a message.
   *
   * @throws RlsRequest.Refused if it has more fields than a request may have
   * @throws InvalidProtocolBufferException if it is malformed
   */
  static RateLimitRequest read(byte[] message) throws InvalidProtocolBufferException {
    if (message.length > SMALL_BYTES) {
      try {
        new MessageBounds(message).count(REQUEST);
      } catch (InvalidProtocolBufferException e) {
        throw e;
      } catch (IOException e) {
        throw new InvalidProtocolBufferException(e);
      }
    }
    return RateLimitRequest.parseFrom(message);
  }

  /** Counts the fields of a message of this type, up to its end. */
  private void count(Descriptor type) throws IOException {
    int descriptors = 0;
    int entries = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      if (type == REQUEST && number == DESCRIPTORS) {
        RlsRequest.check("descriptors", ++descriptors, RlsRequest.MAX_DESCRIPTORS);
      } else if (type == DESCRIPTOR && number == ENTRIES) {
        RlsRequest.check("entries", ++entries, RlsRequest.MAX_ENTRIES);
      }
      RlsRequest.check("fields", ++fields, MAX_FIELDS);
      FieldDescriptor field = type.findFieldByNumber(number);
      if (field == null) {
        RlsRequest.check("unknown fields", ++unknown, MAX_UNKNOWN);
      }
      boolean nested = field != null && field.getJavaType() == JavaType.MESSAGE;
      if (nested && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int outer = in.pushLimit(in.readRawVarint32());
        count(field.getMessageType());
        in.popLimit(outer);
      } else {
        in.skipField(tag);
      }
    }
  }
}
