package dev.weir.server.live;

import io.vertx.core.json.JsonObject;

/**
 * Something that happened to this server.
 *
 * @param millis when, since 1970
 * @param kind one word, such as {@code store} or {@code rules}
 * @param level {@code info}, {@code warning} or {@code error}
 * @param text in words
 */
public record Event(long millis, String kind, String level, String text) {
  private static final int MAX_CHARS = 500;

  /** Bounds the text. */
  public Event {
    text = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "…" : text;
  }

  JsonObject json() {
    return new JsonObject()
        .put("time", millis)
        .put("kind", kind)
        .put("level", level)
        .put("text", text);
  }
}
