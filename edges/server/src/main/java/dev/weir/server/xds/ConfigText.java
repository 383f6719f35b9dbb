package dev.weir.server.xds;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.envoy.ratelimit.config.v3.RateLimitConfig;
import dev.weir.envoy.ratelimit.config.v3.RateLimitDescriptor;
import dev.weir.envoy.ratelimit.config.v3.RateLimitPolicy;
import dev.weir.envoy.ratelimit.config.v3.RateLimitReplace;
import dev.weir.envoy.ratelimit.config.v3.RateLimitUnit;
import dev.weir.rules.yaml.RulesText;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Converts a configuration message to YAML, so that the parser for files reads it and reports the
 * same problems.
 *
 * <p>Each descriptor begins a line, outer ones before those below them: the line number in an error
 * is the number of the descriptor. All texts are quoted and contain only plain ASCII, so that none
 * can be taken for another type.
 */
final class ConfigText {
  private static final int MAX_NAME = 200;
  private static final double MAX_EXACT = 1L << 53;

  private final StringBuilder text = new StringBuilder();

  private ConfigText() {}

  /** The YAML, named by the resource, or else its domain or its position in the message, from 1. */
  static RulesText source(RateLimitConfig config, int position) {
    ConfigText writer = new ConfigText();
    writer.config(config);
    String name = config.getName().isEmpty() ? config.getDomain() : config.getName();
    return RulesText.of(
        name.isEmpty() ? "resource " + position : plain(name), writer.text.toString());
  }

  /** Replaces control characters and shortens a text, so that it fits in a log line. */
  static String plain(String text) {
    String line = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "?");
    return line.length() <= MAX_NAME ? line : line.substring(0, MAX_NAME) + "…";
  }

  private void config(RateLimitConfig config) {
    text.append("{domain: ");
    quote(config.getDomain());
    text.append(", descriptors: ");
    descriptors(config.getDescriptorsList(), "");
    text.append('}');
  }

  private void descriptors(List<RateLimitDescriptor> list, String lineBreak) {
    text.append('[').append(lineBreak);
    separated(list, ",\n", this::descriptor);
    text.append(']');
  }

  private void descriptor(RateLimitDescriptor descriptor) {
    if (isTooLarge()) {
      return;
    }
    text.append("{key: ");
    quote(descriptor.getKey());
    if (!descriptor.getValue().isEmpty()) {
      text.append(", value: ");
      quote(descriptor.getValue());
    }
    flag("shadow_mode", descriptor.getShadowMode());
    flag("detailed_metric", descriptor.getDetailedMetric());
    flag("quota_mode", descriptor.getQuotaMode());
    if (descriptor.hasMetadata()) {
      text.append(", metadata: ");
      struct(descriptor.getMetadata());
    }
    if (descriptor.hasRateLimit()) {
      text.append(", rate_limit: ");
      policy(descriptor.getRateLimit());
    }
    if (descriptor.getDescriptorsCount() > 0) {
      text.append(", descriptors: ");
      descriptors(descriptor.getDescriptorsList(), "\n");
    }
    text.append('}');
  }

  private void policy(RateLimitPolicy policy) {
    boolean unlimited = policy.getUnlimited();
    text.append("{unlimited: ").append(unlimited);
    // In protobuf 0 is the same as absent; beside unlimited neither means anything.
    if (!unlimited || policy.getRequestsPerUnit() != 0) {
      text.append(", requests_per_unit: ");
      text.append(Integer.toUnsignedString(policy.getRequestsPerUnit()));
    }
    if (!unlimited || policy.getUnitValue() != RateLimitUnit.UNKNOWN_VALUE) {
      text.append(", unit: ");
      quote(unit(policy));
    }
    if (!policy.getName().isEmpty()) {
      text.append(", name: ");
      quote(policy.getName());
    }
    if (policy.getReplacesCount() > 0) {
      text.append(", replaces: [");
      separated(policy.getReplacesList(), ", ", this::replace);
      text.append(']');
    }
    text.append('}');
  }

  private static String unit(RateLimitPolicy policy) {
    return policy.getUnit() == RateLimitUnit.UNRECOGNIZED
        ? String.valueOf(policy.getUnitValue())
        : policy.getUnit().name().toLowerCase(Locale.ROOT);
  }

  private void replace(RateLimitReplace replace) {
    text.append("{name: ");
    quote(replace.getName());
    text.append('}');
  }

  private void flag(String name, boolean value) {
    if (value) {
      text.append(", ").append(name).append(": true");
    }
  }

  /** YAML needs an explicit key mark for keys of any length. */
  private void struct(Struct struct) {
    text.append('{');
    separated(
        struct.getFieldsMap().entrySet(),
        ", ",
        field -> {
          text.append("? ");
          quote(field.getKey());
          text.append(" : ");
          value(field.getValue());
        });
    text.append('}');
  }

  private void value(Value value) {
    switch (value.getKindCase()) {
      case STRING_VALUE -> quote(value.getStringValue());
      case BOOL_VALUE -> text.append(value.getBoolValue());
      case NUMBER_VALUE -> number(value.getNumberValue());
      case STRUCT_VALUE -> struct(value.getStructValue());
      case LIST_VALUE -> {
        text.append('[');
        separated(value.getListValue().getValuesList(), ", ", this::value);
        text.append(']');
      }
      case NULL_VALUE, KIND_NOT_SET -> text.append("null");
    }
  }

  private void number(double number) {
    if (!Double.isFinite(number)) {
      quote(String.valueOf(number)); // NaN and infinities are passed on as text
    } else if (number == Math.rint(number) && Math.abs(number) < MAX_EXACT) {
      text.append((long) number);
    } else {
      text.append(number);
    }
  }

  private <T> void separated(Iterable<T> items, String separator, Consumer<T> each) {
    boolean first = true;
    for (T item : items) {
      text.append(first ? "" : separator);
      each.accept(item);
      first = false;
    }
  }

  private void quote(String value) {
    text.append('"');
    int at = 0;
    while (at < value.length() && !isTooLarge()) {
      int codePoint = value.codePointAt(at);
      at += Character.charCount(codePoint);
      if (codePoint == '"' || codePoint == '\\') {
        text.append('\\').append((char) codePoint);
      } else if (codePoint >= ' ' && codePoint <= '~') {
        text.append((char) codePoint);
      } else {
        text.append(String.format(codePoint > 0xFFFF ? "\\U%08x" : "\\u%04x", codePoint));
      }
    }
    text.append('"');
  }

  /** Whether the text already exceeds what the parser accepts. */
  private boolean isTooLarge() {
    return text.length() > RulesText.MAX_BYTES;
  }
}
