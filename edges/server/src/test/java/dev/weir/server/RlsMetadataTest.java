package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.server.rls.RlsSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Dynamic metadata where envoyproxy/ratelimit loses some of it, or leaks that of others. */
class RlsMetadataTest extends RlsContract {
  private static final RlsSettings METADATA = new RlsSettings(false, false, null, true);
  private static final int DAY = 4;
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - {key: plain, metadata: {by: {plain: 1}}, rate_limit: {unit: year, requests_per_unit: 99}}
        - {key: other, metadata: {by: {other: 1}}, rate_limit: {unit: year, requests_per_unit: 99}}
        - {key: detailed, detailed_metric: true, metadata: {by: {detailed: 1}}, rate_limit: {unit: year, requests_per_unit: 99}}
        - {key: valued, value_to_metric: true, metadata: {by: {valued: 1}}, rate_limit: {unit: year, requests_per_unit: 99}}
        - {key: wild, value: a*, value_to_metric: true, metadata: {by: {wild: 1}}, rate_limit: {unit: year, requests_per_unit: 99}}
        - {key: ac*, metadata: {by: {across: 1}}, rate_limit: {unit: year, requests_per_unit: 99}}
      """;

  RlsMetadataTest() {
    super(YAML);
  }

  private static Map<String, Value> by(RateLimitResponse reply) {
    Struct metadata = reply.getDynamicMetadata().getFieldsOrThrow("metadata").getStructValue();
    return metadata.getFieldsOrThrow("by").getStructValue().getFieldsMap();
  }

  @Test
  void metadataOfARuleDoesNotDependOnItsMetrics() {
    with(
        METADATA,
        other -> {
          for (String key : List.of("plain", "detailed", "valued")) {
            assertThat(by(other.ask(about(key, me)))).containsOnlyKeys(key);
          }
          assertThat(by(other.ask(about("wild", "a" + me)))).containsOnlyKeys("wild");
          assertThat(by(other.ask(about("across", me)))).containsOnlyKeys("across");
        });
  }

  @Test
  void metadataOfEarlierRequestsIsNotLeaked() {
    with(
        METADATA,
        other -> {
          assertThat(by(other.ask(about("plain", me), about("other", me))))
              .containsOnlyKeys("plain", "other");
          assertThat(by(other.ask(about("plain", me)))).containsOnlyKeys("plain");
        });
  }

  @Test
  void metadataRepeatsTheRequestUnchanged() {
    with(
        METADATA,
        other -> {
          RateLimitResponse reply =
              other.ask(limited(0, DAY, "plain", me), costing(1L << 62, "other", me));
          List<Value> repeated =
              reply
                  .getDynamicMetadata()
                  .getFieldsOrThrow("descriptors")
                  .getListValue()
                  .getValuesList();
          assertThat(repeated.get(0).getStructValue().getFieldsOrThrow("limit").getStringValue())
              .isEqualTo("unit:DAY");
          assertThat(
                  repeated.get(1).getStructValue().getFieldsOrThrow("hitsAddend").getNumberValue())
              .isEqualTo(0x1p62);
        });
  }
}
