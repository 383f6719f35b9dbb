package dev.weir.server.stats;

import dev.weir.domain.DomainBook;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What there is to tell beside requests.
 *
 * @param domains those in force
 * @param loads how many versions of the configuration were taken on, the first one included
 * @param loadErrors how many were refused
 * @param storeErrors how many requests the store did not answer, or was not asked about since
 * @param storeAnswers whether it does now; empty if it is in this process
 */
public record Surroundings(
    Supplier<DomainBook> domains,
    LongSupplier loads,
    LongSupplier loadErrors,
    LongSupplier storeErrors,
    Optional<BooleanSupplier> storeAnswers) {}
