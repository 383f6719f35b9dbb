package dev.weir.server.xds;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses SERVER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir.server");

  @Test
  void edgesDoNotDependOnXds() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.weir.server.xds")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.weir.server.xds")
        .check(SERVER);
  }

  @Test
  void xdsDoesNotDependOnEdges() {
    noClasses()
        .that()
        .resideInAPackage("dev.weir.server.xds")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.weir.server.rls",
            "dev.weir.server.grpc",
            "dev.weir.rule..",
            "dev.weir.rules.domain..")
        .check(SERVER);
  }
}
