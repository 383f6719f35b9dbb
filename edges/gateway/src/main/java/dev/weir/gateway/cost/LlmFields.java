package dev.weir.gateway.cost;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Collects what the body of a request says. Where a thing is said twice, the dearer counts. */
final class LlmFields {
  /** The longest name of a model; no provider has longer ones. */
  private static final int MAX_MODEL_CHARS = 256;

  /** The maximum number of answers that is believed. */
  private static final int MAX_ANSWERS = 1_000;

  private boolean readable = true;
  private @Nullable String model;
  private boolean streamed;
  private long promptBytes;
  private long maxTokens = -1;
  private long answers = 1;
  private @Nullable BodyEdit usageEdit;

  static LlmFields unreadable(long bytes) {
    LlmFields fields = new LlmFields();
    fields.readable = false;
    fields.promptBytes = Math.max(0, bytes);
    return fields;
  }

  void setModel(String name) {
    readable &= model == null && !name.isBlank() && name.length() <= MAX_MODEL_CHARS;
    model = name;
  }

  void setUnreadable() {
    readable = false;
  }

  void setStreamed() {
    streamed = true;
  }

  void setPromptBytes(long bytes) {
    promptBytes = bytes;
  }

  void addMaxTokens(long tokens) {
    maxTokens = Math.max(maxTokens, tokens);
  }

  void addAnswers(long count) {
    answers = Math.max(answers, Math.min(MAX_ANSWERS, count));
  }

  void setUsageEdit(BodyEdit edit) {
    usageEdit = edit;
  }

  boolean isReadable() {
    return readable;
  }

  @Nullable String model() {
    return model;
  }

  boolean streamed() {
    return streamed;
  }

  long promptBytes() {
    return promptBytes;
  }

  int answers() {
    return (int) answers;
  }

  OptionalLong maxOutputTokens() {
    return maxTokens < 0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.min(Usage.MAX_TOKENS, maxTokens * answers));
  }

  @Nullable BodyEdit usageEdit() {
    return usageEdit;
  }
}
