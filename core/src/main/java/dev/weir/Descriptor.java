package dev.weir;

import dev.weir.internal.Rejections;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a request as an edge extracts them: named values, in order. A value that the
 * request does not have is absent.
 *
 * <p>A value can also be present but {@link #UNUSABLE}, like a header that was sent twice with two
 * contents. Rules treat such a value as unfavourably as they can, so that a client gains nothing by
 * sending it: it identifies no caller, but it meets every condition, costs the maximum and is not
 * skipped.
 *
 * <p>By convention the names of an HTTP request are {@code method}, {@code host}, {@code path},
 * {@code ip}, {@code header x-plan}, {@code cookie session}, {@code jwt sub}; other callers name
 * their values {@code entry tenant}.
 *
 * <p>A descriptor is immutable and safe for use by any number of threads.
 */
public final class Descriptor {
  /** Stands for a present but unusable value: this very object, not any text that equals it. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  public static final String UNUSABLE = new String("(unusable)");

  private final Names names;
  private final @Nullable String[] values;

  private Descriptor(Names names, @Nullable String[] values) {
    this.names = names;
    this.values = values;
  }

  /**
   * A descriptor of values for all of {@code names}, in their order; null where absent. The
   * descriptor takes ownership of the array and does not copy it, because every request makes one.
   *
   * @throws IllegalArgumentException if there are not as many values as names
   */
  public static Descriptor of(Names names, @Nullable String... values) {
    if (values.length != names.size()) {
      throw Rejections.of(
          "values", values.length, "one for each of the " + names.size() + " names");
    }
    return new Descriptor(names, values);
  }

  /** A descriptor of these values, in any order. */
  public static Descriptor of(Map<String, String> values) {
    Names names = Names.of(List.copyOf(values.keySet()));
    return new Descriptor(names, names.list().stream().map(values::get).toArray(String[]::new));
  }

  /** Whether a value is {@link #UNUSABLE}. */
  @SuppressWarnings("ReferenceEquality") // no text that a client sends is this object
  public static boolean isUnusable(@Nullable String value) {
    return value == UNUSABLE;
  }

  /** The names of the values. */
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
  @SuppressWarnings("ReferenceEquality") // usually it is the same object
  public Descriptor as(Names wanted) {
    if (wanted == names) {
      return this;
    }
    return new Descriptor(wanted, wanted.list().stream().map(this::value).toArray(String[]::new));
  }

  /** This descriptor with one value replaced; unchanged if it has no such name. */
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

  /** The names of a descriptor's values: made once, used for every request. Immutable. */
  public static final class Names {
    private final List<String> list;
    private final Map<String, Integer> indexes = new HashMap<>();

    private Names(List<String> list) {
      this.list = list;
      for (String name : list) {
        if (indexes.put(name, indexes.size()) != null) {
          throw Rejections.of("names", name, "each name once");
        }
      }
    }

    /**
     * These names, in this order.
     *
     * @throws IllegalArgumentException if a name occurs twice
     */
    public static Names of(List<String> names) {
      return new Names(List.copyOf(names));
    }

    /** The names in order. */
    public List<String> list() {
      return list;
    }

    /** How many names there are. */
    public int size() {
      return list.size();
    }

    /** Whether this is one of the names. */
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
