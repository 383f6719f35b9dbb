package dev.weir.guard;

import dev.weir.LimitKey;
import java.util.Map;

/** Where a store keeps its counters: in places that fail each by itself, if there are several. */
public interface Places {
  /** All in one. */
  Places ONE =
      new Places() {
        private static final Map<String, LimitKey> ALL = Map.of("", new LimitKey(0, 0));

        @Override
        public String of(LimitKey key) {
          return "";
        }

        @Override
        public Map<String, LimitKey> all() {
          return ALL;
        }

        @Override
        public String name(String place) {
          return place;
        }
      };

  /** The place of a counter. The same text for the same place; it may change at any time. */
  String of(LimitKey key);

  /** The places that there are at the moment, each with a counter in it that nobody has. */
  Map<String, LimitKey> all();

  /** What people call a place; nothing, if it is the only one. */
  String name(String place);
}
