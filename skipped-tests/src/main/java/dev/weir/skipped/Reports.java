package dev.weir.skipped;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The reports that surefire wrote during one build, of all modules. They are read instead of
 * listening to the tests, so that every module is covered, whatever its class path.
 *
 * @param tests how many tests there are in them
 * @param skipped those of them that were skipped, in the order of their names
 */
record Reports(int tests, List<Skipped> skipped) {
  private static final String FOLDER = "surefire-reports";

  /**
   * Reads what was written since {@code start}: an earlier build may have left reports of tests
   * that this one did not run.
   */
  static Reports of(Path root, Instant start) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean aside = name.equals("src") || name.startsWith(".");
            return aside ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            Path folder = file.getParent();
            if (folder != null
                && folder.endsWith(FOLDER)
                && name.startsWith("TEST-")
                && name.endsWith(".xml")
                && !attributes.lastModifiedTime().toInstant().isBefore(start)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    Collections.sort(files);
    int tests = 0;
    List<Skipped> skipped = new ArrayList<>();
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        tests += read(in, skipped);
      } catch (XMLStreamException e) {
        throw new IOException(file + ": " + e.getMessage() + " (expected: a report of surefire)");
      }
    }
    return new Reports(tests, List.copyOf(skipped));
  }

  /** Adds the skipped tests of one report, and returns how many tests are in it. */
  private static int read(InputStream in, List<Skipped> skipped) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    XMLStreamReader xml = factory.createXMLStreamReader(in);
    int tests = 0;
    String test = "";
    while (xml.hasNext()) {
      if (xml.next() == XMLStreamConstants.START_ELEMENT) {
        if (xml.getLocalName().equals("testcase")) {
          tests++;
          test = attribute(xml, "classname") + "." + attribute(xml, "name");
        } else if (xml.getLocalName().equals("skipped")) {
          skipped.add(new Skipped(test, reason(xml)));
        }
      }
    }
    return tests;
  }

  /** Why a test is disabled is an attribute; why it was aborted begins the trace of that. */
  private static String reason(XMLStreamReader xml) throws XMLStreamException {
    String message = attribute(xml, "message");
    String thrown = attribute(xml, "type") + ": ";
    String said = message.isEmpty() ? xml.getElementText().strip() : message;
    String first = said.lines().findFirst().orElse("");
    return first.startsWith(thrown) ? first.substring(thrown.length()) : first;
  }

  private static String attribute(XMLStreamReader xml, String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }
}
