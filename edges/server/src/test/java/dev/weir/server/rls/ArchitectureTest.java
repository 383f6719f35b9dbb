package dev.weir.server.rls;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses RLS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir.server.rls");

  @Test
  void engineDoesNotDependOnTheWireFormat() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx..", "com.google.protobuf..", "dev.weir.envoy..")
        .check(RLS);
  }

  @Test
  void serviceDoesNotDependOnOtherEdges() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.weir.server",
            "dev.weir.server.check",
            "dev.weir.server.decide",
            "dev.weir.rules.yaml..",
            "dev.weir.http..")
        .check(RLS);
  }
}
