/** Finds a quote, for modules outside FX. */
import type { Context } from '../../context.ts'
import type { Quote, QuoteKey } from './quote.ts'
import { findQuote as findStoredQuote } from './quote-store.ts'

/** The partner's quote with this id. */
export async function findQuote(context: Context, key: QuoteKey): Promise<Quote | undefined> {
  return await findStoredQuote(context, key)
}
