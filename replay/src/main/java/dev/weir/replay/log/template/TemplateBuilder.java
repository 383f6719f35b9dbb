package dev.weir.replay.log.template;

import dev.weir.internal.Rejections;
import dev.weir.replay.log.line.Field;
import dev.weir.replay.log.line.HeaderNames;
import dev.weir.replay.log.line.LogFormat;
import dev.weir.replay.log.line.Role;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the fields and literals of a template. For one thread. */
final class TemplateBuilder {
  private final String name;
  private final boolean escaped;
  private final HeaderNames headers = new HeaderNames();
  private final List<Part> parts = new ArrayList<>();
  private final ByteArrayOutputStream literal = new ByteArrayOutputStream();
  private byte[] prefix = {};
  private @Nullable Field open;
  private int required = Integer.MAX_VALUE;

  TemplateBuilder(String name, boolean escaped) {
    this.name = name;
    this.escaped = escaped;
  }

  /** The headers that fields may add to. */
  HeaderNames headers() {
    return headers;
  }

  TemplateBuilder literal(String text) {
    literal.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /**
   * Adds a field.
   *
   * @param position where the format has it, from 1, for errors
   * @throws IllegalArgumentException if nothing separates it from the field before
   */
  TemplateBuilder field(Field field, int position) {
    if (open == null) {
      prefix = literal.toByteArray();
    } else if (literal.size() == 0) {
      throw Rejections.of(
          name + ":" + position,
          field.name(),
          "a character between it and " + open.name() + ", which would end nowhere");
    } else {
      close(open);
    }
    literal.reset();
    open = field;
    return this;
  }

  /** Says that lines may end before the fields that follow, or have more than all fields. */
  TemplateBuilder optional() {
    required = parts.size() + 1;
    return this;
  }

  /**
   * The format.
   *
   * @throws IllegalArgumentException if it has no time, or nothing about requests
   */
  LogFormat build() {
    if (open != null) {
      close(open);
    }
    require("time", Role.ARRIVAL, Role.COMPLETION);
    require("request line or path", Role.REQUEST, Role.TARGET);
    return new Template(
        name,
        prefix,
        parts.toArray(Part[]::new),
        headers,
        escaped,
        Math.min(required, parts.size()));
  }

  private void close(Field field) {
    parts.add(new Part(field, literal.toByteArray(), escaped));
  }

  private void require(String what, Role one, Role other) {
    if (parts.stream().noneMatch(p -> p.field().role() == one || p.field().role() == other)) {
      throw Rejections.of(name, "no " + what, "a format that has one");
    }
  }
}
