package dev.weir.server.otlp;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.Map;
import java.util.TreeMap;

/** Names and values in the messages of OTLP. */
final class Attributes {
  /** Who made the metrics and spans. */
  static final InstrumentationScope SCOPE =
      InstrumentationScope.newBuilder().setName("dev.weir").build();

  private Attributes() {}

  static KeyValue text(String name, String value) {
    return KeyValue.newBuilder()
        .setKey(name)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  static KeyValue number(String name, long value) {
    return KeyValue.newBuilder()
        .setKey(name)
        .setValue(AnyValue.newBuilder().setIntValue(value))
        .build();
  }

  /** What sends, by its attributes. */
  static Resource resource(Map<String, String> attributes) {
    Resource.Builder resource = Resource.newBuilder();
    new TreeMap<>(attributes).forEach((name, value) -> resource.addAttributes(text(name, value)));
    return resource.build();
  }
}
