package dev.weir.replay.log.json;

import dev.weir.replay.log.line.Bytes;
import dev.weir.replay.log.line.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member that objects of this log have had. Lines of a log have the same members in the same
 * order, so the one that followed last time is compared first. For one thread.
 */
final class KeyNode {
  private static final int MAX_CHILDREN = 128;

  private final byte[] key;
  private final String path;
  private final @Nullable Field field;
  private final boolean required;
  private final List<KeyNode> children = new ArrayList<>();
  private @Nullable KeyNode first;
  private @Nullable KeyNode next;
  private @Nullable KeyNode last;

  KeyNode(byte[] key, String path, @Nullable Field field, boolean required) {
    this.key = key;
    this.path = path;
    this.field = field;
    this.required = required;
  }

  String path() {
    return path;
  }

  @Nullable Field field() {
    return field;
  }

  boolean isRequired() {
    return required;
  }

  boolean isFull() {
    return children.size() >= MAX_CHILDREN;
  }

  /** Says that its object begins. */
  void begin() {
    last = null;
  }

  /** The known member of that name; null if there is none. */
  @Nullable KeyNode find(byte[] line, int from, int to) {
    KeyNode before = last;
    KeyNode expected = before == null ? first : before.next;
    if (expected != null && Bytes.equal(line, from, to, expected.key)) {
      last = expected;
      return expected;
    }
    for (KeyNode child : children) {
      if (Bytes.equal(line, from, to, child.key)) {
        follow(before, child);
        return child;
      }
    }
    return null;
  }

  void add(KeyNode child) {
    children.add(child);
    follow(last, child);
  }

  private void follow(@Nullable KeyNode before, KeyNode child) {
    if (before == null) {
      first = child;
    } else {
      before.next = child;
    }
    last = child;
  }
}
