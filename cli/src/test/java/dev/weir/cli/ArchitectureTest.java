package dev.weir.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses CLI =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.weir.cli");

  @Test
  void onlyCommandsAndTheirErrorsDependOnPicocli() {
    noClasses()
        .that()
        .haveSimpleNameNotEndingWith("Command")
        .and()
        .haveSimpleNameNotEndingWith("Options")
        .and()
        .doNotHaveSimpleName("Main")
        .and()
        .doNotHaveSimpleName("Version")
        .and()
        .doNotHaveSimpleName("ErrorReporter")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .check(CLI);
  }
}
