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
 * The Surefire reports of all modules from one build. Reading reports, rather than listening to
 * tests, covers every module, whatever its class path.
 *
 * @param tests the number of tests in the reports
 * @param skipped the skipped tests, in the order of their report files
 */
record Reports(int tests, List<Skipped> skipped) {
  private static final String DIRECTORY = "surefire-reports";

  /**
   * Reads the reports written since {@code start}. An earlier build may have left reports of tests
   * that this one did not run.
   *
   * @throws IOException if a report cannot be read or parsed; the message names the file
   */
  static Reports of(Path root, Instant start) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean excluded = name.equals("src") || name.startsWith(".");
            return excluded ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            Path directory = file.getParent();
            if (directory != null
                && directory.endsWith(DIRECTORY)
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
        throw new IOException(file + ": " + e.getMessage() + " (expected: a Surefire report)");
      }
    }
    return new Reports(tests, List.copyOf(skipped));
  }

  /** Adds the skipped tests of one report, and returns the number of its tests. */
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

  /** The reason of a disabled test is an attribute; that of an aborted test starts its trace. */
  private static String reason(XMLStreamReader xml) throws XMLStreamException {
    String message = attribute(xml, "message");
    String thrown = attribute(xml, "type") + ": ";
    String text = message.isEmpty() ? xml.getElementText().strip() : message;
    String first = text.lines().findFirst().orElse("");
    return first.startsWith(thrown) ? first.substring(thrown.length()) : first;
  }

  private static String attribute(XMLStreamReader xml, String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }
}
