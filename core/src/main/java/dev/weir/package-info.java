/**
 * The words of rate limiting: what is limited, what is asked, what is answered, and who keeps
 * count.
 *
 * <p>A request carries {@linkplain dev.weir.Claim claims}; a {@linkplain dev.weir.Store store}
 * grants all of them or none; the {@linkplain dev.weir.Decision decision} says why.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
