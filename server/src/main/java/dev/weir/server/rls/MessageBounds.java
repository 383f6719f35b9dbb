package dev.weir.server.rls;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.weir.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import java.io.IOException;

/**
 * Looks over the bytes of a message before they are made into objects: two bytes are an empty
 * descriptor, and a message of the largest size could make two million of them, at fifty bytes
 * each, before anybody counts.
 */
final class MessageBounds {
  /** Whatever is in a message of this size, it is little. */
  private static final int SMALL_BYTES = 4 << 10;

  /** Fields that are not known here, but to newer clients perhaps. */
  private static final int MAX_UNKNOWN = 10_000;

  /**
   * With every descriptor, each entry of it, its key, its value, and what else a descriptor has.
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
   * The message.
   *
   * @throws RlsRequest.Refused if there is more in it than a request may have
   * @throws InvalidProtocolBufferException if it is none
   */
  static RateLimitRequest read(byte[] message) throws InvalidProtocolBufferException {
    if (message.length > SMALL_BYTES) {
      try {
        new MessageBounds(message).look(REQUEST);
      } catch (InvalidProtocolBufferException e) {
        throw e;
      } catch (IOException e) {
        throw new InvalidProtocolBufferException(e);
      }
    }
    return RateLimitRequest.parseFrom(message);
  }

  /** Looks at a message of a type, up to where it ends. */
  private void look(Descriptor type) throws IOException {
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
        look(field.getMessageType());
        in.popLimit(outer);
      } else {
        in.skipField(tag);
      }
    }
  }
}
