package dev.weir.server.grpc;

import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.Claim;
import dev.weir.envoy.config.core.v3.HeaderValue;
import dev.weir.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import dev.weir.envoy.type.v3.RateLimitUnit;
import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.Entry;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsReply;
import dev.weir.server.rls.RlsReply.Current;
import dev.weir.server.rls.RlsReply.Status;
import dev.weir.server.rls.RlsRequest;
import dev.weir.server.rls.RlsRequest.DescriptorQuery;
import dev.weir.server.rls.RlsRequest.Refused;
import dev.weir.server.rls.RlsSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts requests and replies from and to the messages of the protocol. */
public final class RlsCodec {
  private RlsCodec() {}

  /**
   * Converts a message into a request of the engine.
   *
   * @throws Refused if it is malformed
   */
  public static RlsRequest request(RateLimitRequest message) {
    // In the message an absent number and 0 are the same; a descriptor can state 0.
    long defaultHits = Math.max(1, Integer.toUnsignedLong(message.getHitsAddend()));
    RlsRequest.check("descriptors", message.getDescriptorsCount(), RlsRequest.MAX_DESCRIPTORS);
    List<DescriptorQuery> queries = new ArrayList<>(message.getDescriptorsCount());
    for (RateLimitDescriptor descriptor : message.getDescriptorsList()) {
      RlsRequest.check("entries", descriptor.getEntriesCount(), RlsRequest.MAX_ENTRIES);
      List<Entry> entries = new ArrayList<>(descriptor.getEntriesCount());
      for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
        entries.add(new Entry(entry.getKey(), entry.getValue()));
      }
      RlsRequest.LimitOverride override =
          descriptor.hasLimit() ? override(descriptor.getLimit()) : null;
      long hits = descriptor.hasHitsAddend() ? hits(descriptor) : defaultHits;
      queries.add(new DescriptorQuery(entries, override, hits, descriptor.getIsNegativeHits()));
    }
    return new RlsRequest(message.getDomain(), queries);
  }

  /** Whether a message refunds anything. */
  static boolean isRefund(RateLimitRequest message) {
    for (int i = 0; i < message.getDescriptorsCount(); i++) {
      if (message.getDescriptors(i).getIsNegativeHits()) {
        return true;
      }
    }
    return false;
  }

  private static long hits(RateLimitDescriptor descriptor) {
    long hits = descriptor.getHitsAddend().getValue();
    // A number above 2^63 is negative here; it is beyond what can be counted or allowed.
    return hits < 0 ? Claim.MAX_COST : Math.min(hits, Claim.MAX_COST);
  }

  private static RlsRequest.LimitOverride override(RateLimitDescriptor.RateLimitOverride limit) {
    Unit unit = unit(limit.getUnit());
    if (unit == null) {
      throw new Refused("limit: unknown unit (expected: SECOND to YEAR)");
    }
    return new RlsRequest.LimitOverride(Integer.toUnsignedLong(limit.getRequestsPerUnit()), unit);
  }

  private static @Nullable Unit unit(RateLimitUnit unit) {
    return switch (unit) {
      case SECOND -> Unit.SECOND;
      case MINUTE -> Unit.MINUTE;
      case HOUR -> Unit.HOUR;
      case DAY -> Unit.DAY;
      case WEEK -> Unit.WEEK;
      case MONTH -> Unit.MONTH;
      case YEAR -> Unit.YEAR;
      case UNKNOWN, UNRECOGNIZED -> null;
    };
  }

  private static RateLimit.Unit unit(Unit unit) {
    return switch (unit) {
      case SECOND -> RateLimit.Unit.SECOND;
      case MINUTE -> RateLimit.Unit.MINUTE;
      case HOUR -> RateLimit.Unit.HOUR;
      case DAY -> RateLimit.Unit.DAY;
      case WEEK -> RateLimit.Unit.WEEK;
      case MONTH -> RateLimit.Unit.MONTH;
      case YEAR -> RateLimit.Unit.YEAR;
    };
  }

  /** Converts a reply into the message for the client. */
  public static RateLimitResponse response(
      RateLimitRequest request, RlsReply reply, RlsSettings settings) {
    RateLimitResponse.Builder out =
        RateLimitResponse.newBuilder().setOverallCode(code(reply.over()));
    for (Status status : reply.statuses()) {
      out.addStatuses(status(status));
    }
    RlsSettings.Headers headers = settings.headers();
    Status nearest = reply.nearest().orElse(null);
    if (headers != null && nearest != null && nearest.limit() != null) {
      out.addResponseHeadersToAdd(header(headers.limit(), nearest.limit().requestsPerUnit()));
      out.addResponseHeadersToAdd(header(headers.remaining(), nearest.remaining()));
      out.addResponseHeadersToAdd(header(headers.reset(), nearest.resetSeconds()));
    }
    reply.failureMode().ifPresent(mode -> out.addResponseHeadersToAdd(degraded(mode)));
    if (settings.dynamicMetadata()) {
      out.setDynamicMetadata(metadata(request, reply));
    }
    return out.build();
  }

  private static Code code(boolean over) {
    return over ? Code.OVER_LIMIT : Code.OK;
  }

  private static DescriptorStatus status(Status status) {
    DescriptorStatus.Builder out =
        DescriptorStatus.newBuilder()
            .setCode(code(status.over()))
            .setLimitRemaining(uint32(status.remaining()));
    Current limit = status.limit();
    if (limit != null) {
      out.setCurrentLimit(
          RateLimit.newBuilder()
              .setRequestsPerUnit(uint32(limit.requestsPerUnit()))
              .setUnit(unit(limit.unit()))
              .setName(limit.name()));
      out.setDurationUntilReset(Duration.newBuilder().setSeconds(status.resetSeconds()));
    }
    return out.build();
  }

  /** The value, bounded by the maximum of the protocol. */
  private static int uint32(long value) {
    return (int) Math.min(value, RlsReply.MAX_REMAINING);
  }

  /** The header that marks a degraded answer, as {@code /v1/check} does. */
  private static HeaderValue degraded(FailureMode mode) {
    return HeaderValue.newBuilder()
        .setKey("weir-degraded")
        .setValue(mode.name().toLowerCase(Locale.ROOT))
        .build();
  }

  private static HeaderValue header(String name, long value) {
    return HeaderValue.newBuilder()
        .setKey(name)
        .setValue(Long.toString(Math.min(value, RlsReply.MAX_REMAINING)))
        .build();
  }

  private static Struct metadata(RateLimitRequest request, RlsReply reply) {
    ListValue.Builder descriptors = ListValue.newBuilder();
    for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
      descriptors.addValues(Value.newBuilder().setStructValue(struct(descriptor)));
    }
    Struct.Builder out =
        Struct.newBuilder()
            .putFields("domain", value(request.getDomain()))
            .putFields("descriptors", Value.newBuilder().setListValue(descriptors).build());
    if (request.getHitsAddend() != 0) {
      out.putFields("hitsAddend", value(Integer.toUnsignedLong(request.getHitsAddend())));
    }
    if (!reply.metadata().isEmpty()) {
      out.putFields("metadata", value(reply.metadata()));
    }
    return out.build();
  }

  private static Struct struct(RateLimitDescriptor descriptor) {
    ListValue.Builder entries = ListValue.newBuilder();
    descriptor
        .getEntriesList()
        .forEach(entry -> entries.addValues(value(entry.getKey() + "=" + entry.getValue())));
    Struct.Builder out =
        Struct.newBuilder().putFields("entries", Value.newBuilder().setListValue(entries).build());
    if (descriptor.hasLimit()) {
      out.putFields("limit", value(text(descriptor.getLimit())));
    }
    if (descriptor.hasHitsAddend()) {
      out.putFields("hitsAddend", value(unsigned(descriptor.getHitsAddend().getValue())));
    }
    return out.build();
  }

  /** The text format of the message, which omits zeros. */
  private static String text(RateLimitDescriptor.RateLimitOverride limit) {
    String permits = Integer.toUnsignedString(limit.getRequestsPerUnit());
    String unit = "unit:" + limit.getUnit();
    return limit.getRequestsPerUnit() == 0 ? unit : "requests_per_unit:" + permits + " " + unit;
  }

  private static double unsigned(long value) {
    return value >= 0 ? value : (value >>> 1) * 2.0 + (value & 1);
  }

  private static Value value(@Nullable Object value) {
    Value.Builder out = Value.newBuilder();
    if (value == null) {
      out.setNullValue(NullValue.NULL_VALUE);
    } else if (value instanceof Boolean bool) {
      out.setBoolValue(bool);
    } else if (value instanceof Number number) {
      out.setNumberValue(number.doubleValue());
    } else if (value instanceof List<?> list) {
      ListValue.Builder values = ListValue.newBuilder();
      list.forEach(one -> values.addValues(value(one)));
      out.setListValue(values);
    } else if (value instanceof Map<?, ?> map) {
      Struct.Builder fields = Struct.newBuilder();
      map.forEach((name, one) -> fields.putFields(String.valueOf(name), value(one)));
      out.setStructValue(fields);
    } else {
      out.setStringValue(value.toString());
    }
    return out.build();
  }
}
