package dev.weir.replay.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.replay.result.ReplayResult;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The report as a JSON object. Its fields are the components of the records of {@code
 * dev.weir.replay.result}, under their own names; a constant is its name in lower case with dashes,
 * and what is absent is {@code null}.
 */
public final class ReportJson {
  /** The version of the form; it changes when a field is removed or means something else. */
  public static final int VERSION = 1;

  private ReportJson() {}

  /** The document, in one line. */
  public static String of(ReplayResult result) {
    StringWriter text = new StringWriter();
    try {
      write(result, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter throws none
    }
    return text.toString();
  }

  /**
   * Writes the document.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(ReplayResult result, Writer to) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(to)) {
      json.writeStartObject();
      json.writeNumberField("version", VERSION);
      writeComponents(result, json);
      json.writeEndObject();
    }
  }

  private static void writeComponents(Record value, JsonGenerator json) throws IOException {
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      json.writeFieldName(component.getName());
      try {
        write(component.getAccessor().invoke(value), json);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(component + " cannot be read", e); // all are public
      }
    }
  }

  private static void write(@Nullable Object value, JsonGenerator json) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Record fields) {
      json.writeStartObject();
      writeComponents(fields, json);
      json.writeEndObject();
    } else if (value instanceof List<?> items) {
      json.writeStartArray();
      for (Object item : items) {
        write(item, json);
      }
      json.writeEndArray();
    } else if (value instanceof Optional<?> optional) {
      write(optional.orElse(null), json);
    } else if (value instanceof Enum<?> constant) {
      json.writeString(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else {
      json.writeString(value.toString());
    }
  }
}
