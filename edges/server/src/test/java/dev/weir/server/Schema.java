package dev.weir.server;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The subset of JSON Schema that the document uses; an unknown keyword is an error.
 *
 * <p>Stricter than the standard in one respect: if a schema lists properties and says nothing about
 * others, additional properties are an error, so that nothing undocumented is sent.
 */
final class Schema {
  private final JsonObject document;

  Schema(JsonObject document) {
    this.document = document;
  }

  /** The problems of a value; empty if it conforms. */
  List<String> problems(@Nullable Object value, JsonObject schema) {
    List<String> problems = new ArrayList<>();
    check(value, schema, "$", problems);
    return problems;
  }

  private void check(@Nullable Object value, JsonObject schema, String at, List<String> problems) {
    for (String word : schema.fieldNames()) {
      switch (word) {
        case "$ref" -> check(value, resolve(schema.getString(word)), at, problems);
        case "type" -> type(value, schema.getValue(word), at, problems);
        case "const" ->
            expect(Objects.equals(value, schema.getValue(word)), value, schema, at, problems);
        case "enum" ->
            expect(schema.getJsonArray(word).contains(value), value, schema, at, problems);
        case "oneOf", "anyOf" -> anyOf(value, schema.getJsonArray(word), word, at, problems);
        case "required", "properties", "additionalProperties" ->
            members(value, schema, word, at, problems);
        case "propertyNames" -> names(value, schema.getJsonObject(word), at, problems);
        case "pattern" ->
            expect(
                Pattern.compile(schema.getString(word)).matcher(String.valueOf(value)).find(),
                value,
                schema,
                at,
                problems);
        case "items" -> items(value, schema.getJsonObject(word), at, problems);
        case "minimum" ->
            expect(number(value) >= schema.getLong(word), value, schema, at, problems);
        case "maximum" ->
            expect(number(value) <= schema.getLong(word), value, schema, at, problems);
        case "minItems" -> expect(size(value) >= schema.getLong(word), value, schema, at, problems);
        case "maxItems", "maxProperties", "maxLength" ->
            expect(size(value) <= schema.getLong(word), value, schema, at, problems);
        case "format" ->
            expect(
                hasFormat(String.valueOf(value), schema.getString(word)),
                value,
                schema,
                at,
                problems);
        case "description", "default" -> {}
        default -> problems.add(at + ": no such word: " + word);
      }
    }
  }

  JsonObject resolve(String reference) {
    Object found = document;
    for (String step : reference.substring("#/".length()).split("/", -1)) {
      found = ((JsonObject) found).getValue(step);
      Objects.requireNonNull(found, reference);
    }
    return (JsonObject) found;
  }

  private static void type(@Nullable Object value, Object types, String at, List<String> problems) {
    List<?> allowed = types instanceof JsonArray array ? array.getList() : List.of(types);
    if (!allowed.contains(typeOf(value))) {
      problems.add(at + ": " + value + " is no " + allowed);
    }
  }

  private static String typeOf(@Nullable Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof JsonObject) {
      return "object";
    } else if (value instanceof JsonArray) {
      return "array";
    } else if (value instanceof Boolean) {
      return "boolean";
    } else if (value instanceof Integer || value instanceof Long) {
      return "integer";
    }
    return value instanceof Number ? "number" : "string";
  }

  private static void expect(
      boolean holds, @Nullable Object value, JsonObject schema, String at, List<String> problems) {
    if (!holds) {
      problems.add(at + ": " + value + " is not " + schema.encode());
    }
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  private static long size(@Nullable Object value) {
    if (value instanceof JsonArray array) {
      return array.size();
    }
    return value instanceof JsonObject object ? object.size() : String.valueOf(value).length();
  }

  private void anyOf(
      @Nullable Object value, JsonArray schemas, String word, String at, List<String> problems) {
    List<List<String>> each = new ArrayList<>();
    for (int i = 0; i < schemas.size(); i++) {
      List<String> one = new ArrayList<>();
      check(value, schemas.getJsonObject(i), at, one);
      each.add(one);
    }
    long fitting = each.stream().filter(List::isEmpty).count();
    if (fitting == 0 || (fitting > 1 && word.equals("oneOf"))) {
      problems.add(at + ": fits " + fitting + " of " + each.size() + ": " + each);
    }
  }

  private void members(
      @Nullable Object value, JsonObject schema, String word, String at, List<String> problems) {
    if (!(value instanceof JsonObject object)) {
      return; // A type keyword beside it reports that.
    }
    JsonObject properties = schema.getJsonObject("properties", new JsonObject());
    if (word.equals("required")) {
      for (Object name : schema.getJsonArray(word)) {
        if (!object.containsKey((String) name)) {
          problems.add(at + ": lacks " + name);
        }
      }
    } else if (word.equals("properties")) {
      for (String name : properties.fieldNames()) {
        if (object.containsKey(name)) {
          check(object.getValue(name), properties.getJsonObject(name), at + "." + name, problems);
        }
      }
      if (!schema.containsKey("additionalProperties")) {
        others(object, schema, properties, at, problems);
      }
    } else {
      others(object, schema, properties, at, problems);
    }
  }

  private void others(
      JsonObject object,
      JsonObject schema,
      JsonObject properties,
      String at,
      List<String> problems) {
    for (String name : object.fieldNames()) {
      if (properties.containsKey(name)) {
        continue;
      }
      if (schema.getValue("additionalProperties") instanceof JsonObject each) {
        check(object.getValue(name), each, at + "." + name, problems);
      } else if (!Boolean.TRUE.equals(schema.getValue("additionalProperties"))) {
        problems.add(at + ": has " + name);
      }
    }
  }

  private void names(@Nullable Object value, JsonObject schema, String at, List<String> problems) {
    if (value instanceof JsonObject object) {
      object.fieldNames().forEach(name -> check(name, schema, at + " name", problems));
    }
  }

  private void items(@Nullable Object value, JsonObject schema, String at, List<String> problems) {
    if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        check(array.getValue(i), schema, at + "[" + i + "]", problems);
      }
    }
  }

  private static boolean hasFormat(String value, String format) {
    try {
      return format.equals("date-time") && !Instant.parse(value).equals(Instant.MIN);
    } catch (DateTimeParseException e) {
      return false;
    }
  }
}
