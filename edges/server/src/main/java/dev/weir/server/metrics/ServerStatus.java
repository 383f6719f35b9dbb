package dev.weir.server.metrics;

import dev.weir.rules.domain.DomainBook;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Status values of a server that metrics and health checks read, beside counts of requests.
 *
 * @param domains the active domains
 * @param loads the number of loaded configuration versions, the first one included
 * @param loadErrors the number of rejected configuration versions
 * @param storeErrors the number of requests that the store did not answer, or that the open circuit
 *     breaker rejected
 * @param storeAnswers whether the store answers now; empty if it is in this process
 */
public record ServerStatus(
    Supplier<DomainBook> domains,
    LongSupplier loads,
    LongSupplier loadErrors,
    LongSupplier storeErrors,
    Optional<BooleanSupplier> storeAnswers) {}
