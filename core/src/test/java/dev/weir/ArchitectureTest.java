package dev.weir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.weir.memory.MemoryStore;
import dev.weir.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dependency rules of the core. */
class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPaths("target/classes");

  @Test
  void coreDependsOnNothingButTheJdk() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.weir..", "java..", "javax.crypto..", "org.jspecify.annotations..")
        .check(CORE);
  }

  @Test
  void theRootPackageIsAGlossaryOfAtMostTwelveTypes() {
    List<String> glossary =
        CORE.stream()
            .filter(type -> type.getPackageName().equals("dev.weir"))
            .filter(
                type -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
            .map(JavaClass::getSimpleName)
            .toList();
    assertThat(glossary).isNotEmpty().hasSizeLessThanOrEqualTo(12);
  }

  @Test
  void algorithmsDependOnNeitherClockNorKeyNorStore() {
    noClasses()
        .that()
        .resideInAPackage("dev.weir.algorithm")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Ticker.class, LimitKey.class, Store.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.weir.memory", "dev.weir.key", "java.time..")
        .check(CORE);
  }

  /** Claims carry the keys of counters already; deriving them again would give other keys. */
  @Test
  void keysOfClaimsAreDerivedOnce() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Claim.class, MemoryStore.class)
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "derives a key",
                (JavaMethodCall call) ->
                    call.getTargetOwner().isEquivalentTo(Claim.class)
                        && List.of("of", "hold").contains(call.getName())))
        .check(CORE);
  }

  @Test
  void noClassUsesFloatingPoint() throws IOException {
    Pattern comment = Pattern.compile("/\\*.*?\\*/|//[^\n]*|\"[^\"\n]*\"", Pattern.DOTALL);
    Pattern floating = Pattern.compile("\\b(double|float|Double|Float|BigDecimal)\\b|\\d\\.\\d");
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(sources).hasSizeGreaterThan(20);
      for (Path source : sources) {
        String code = comment.matcher(Files.readString(source)).replaceAll("");
        assertThat(floating.matcher(code).results().map(MatchResult::group))
            .as(source.toString())
            .isEmpty();
      }
    }
  }

  @Test
  void onlyClassesNamedSystemReadAClock() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("System")
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "is a clock",
                (JavaAccess<?> access) ->
                    List.of("nanoTime", "currentTimeMillis", "now").contains(access.getName())
                        && access.getTargetOwner().getPackageName().startsWith("java.")))
        .check(CORE);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.weir.(**)").should().beFreeOfCycles().check(CORE);
    noClasses()
        .that()
        .resideInAPackage("dev.weir")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.weir.algorithm..",
            "dev.weir.memory..",
            "dev.weir.key..",
            "dev.weir.rule..",
            "dev.weir.shared..",
            "dev.weir.async..")
        .check(CORE);
  }
}
