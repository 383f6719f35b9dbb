package dev.weir;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an edge knows of a request: named values, in order. A value that the request does not have
 * is absent.
 *
 * <p>A value can also be there and yet be of no use, as a header is that was sent twice and says
 * two things: {@link #UNUSABLE}. Rules make the worst of it. It identifies nobody, but it meets
 * every condition, costs the most there is and is not skipped, so that nothing is gained by it.
 *
 * <p>By convention the names of an HTTP request are {@code method}, {@code host}, {@code path},
 * {@code ip}, {@code header x-plan}, {@code cookie session}, {@code jwt sub}; other callers name
 * their values {@code entry tenant}.
 */
public final class Descriptor {
  /** Stands for a value that is there but of no use; itself, not any text that reads the same. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  public static final String UNUSABLE = new String("(unusable)");

  private final Names names;
  private final @Nullable String[] values;

  private Descriptor(Names names, @Nullable String[] values) {
    this.names = names;
    this.values = values;
  }

  /**
   * A descriptor of values for all of {@code names}, in their order; null where absent. An array
   * given is the descriptor's from then on: one is made for every request, and none is copied.
   */
  public static Descriptor of(Names names, @Nullable String... values) {
    if (values.length != names.size()) {
      throw Refusal.of("values", values.length, "one for each of the " + names.size() + " names");
    }
    return new Descriptor(names, values);
  }

  /** A descriptor of these values; where order does not matter. */
  public static Descriptor of(Map<String, String> values) {
    Names names = Names.of(List.copyOf(values.keySet()));
    return new Descriptor(names, names.list().stream().map(values::get).toArray(String[]::new));
  }

  /** Whether a value is {@link #UNUSABLE}. */
  @SuppressWarnings("ReferenceEquality") // no text that a client sends is this one
  public static boolean isUnusable(@Nullable String value) {
    return value == UNUSABLE;
  }

  public Names names() {
    return names;
  }

  /** The value of the name at {@code index}, or null if the request has none. */
  public @Nullable String value(int index) {
    return values[index];
  }

  /** The value of a name, or null if the request has none. */
  public @Nullable String value(String name) {
    Integer index = names.indexes.get(name);
    return index == null ? null : values[index];
  }

  /** The same values in the order of other names. */
  @SuppressWarnings("ReferenceEquality") // a list made for the same names is the usual case
  public Descriptor as(Names wanted) {
    if (wanted == names) {
      return this;
    }
    return new Descriptor(wanted, wanted.list().stream().map(this::value).toArray(String[]::new));
  }

  /** The same but for one value; the same altogether if there is no such name. */
  public Descriptor with(String name, @Nullable String value) {
    Integer index = names.indexes.get(name);
    if (index == null) {
      return this;
    }
    @Nullable String[] changed = values.clone();
    changed[index] = value;
    return new Descriptor(names, changed);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Descriptor that
        && names.equals(that.names)
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(names, Arrays.hashCode(values));
  }

  /** Names only: values may be secrets. */
  @Override
  public String toString() {
    return "Descriptor" + names.list();
  }

  /** The names of a descriptor's values: made once, used for every request. */
  public static final class Names {
    private final List<String> list;
    private final Map<String, Integer> indexes = new HashMap<>();

    private Names(List<String> list) {
      this.list = list;
      for (String name : list) {
        if (indexes.put(name, indexes.size()) != null) {
          throw Refusal.of("names", name, "each name once");
        }
      }
    }

    public static Names of(List<String> names) {
      return new Names(List.copyOf(names));
    }

    public List<String> list() {
      return list;
    }

    public int size() {
      return list.size();
    }

    public boolean contains(String name) {
      return indexes.containsKey(name);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Names that && list.equals(that.list);
    }

    @Override
    public int hashCode() {
      return list.hashCode();
    }
  }
}
