/**
 * The glossary of rate limiting: limits, keys, claims, decisions, and the store that counts.
 *
 * <p>A request carries {@linkplain dev.weir.Claim claims}; a {@linkplain dev.weir.Store store}
 * grants all of them or none; the {@linkplain dev.weir.Decision decision} says why.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
