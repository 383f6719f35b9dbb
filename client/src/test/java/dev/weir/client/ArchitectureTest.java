package dev.weir.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The client works without any library: only the adapters know Spring. */
class ArchitectureTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir.client");

  @Test
  void onlyTheAdaptersForSpringKnowALibrary() {
    classes()
        .that()
        .resideOutsideOfPackage("dev.weir.client.spring..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.net.ssl..",
            "dev.weir.client",
            "dev.weir.client.header",
            "dev.weir.client.dispatch",
            "org.jspecify..")
        .check(ALL);
  }
}
