/** Finds the quote that money names by its reference code. */
import type { FxContext } from '../fx-context.ts'
import type { Quote } from './quote.ts'
import { findReferredQuotes } from './quote-store.ts'
import { referenceCodesIn } from './reference-code.ts'

/** Whosever it is; of several codes in a text, the first that is one of ours counts. Undefined when none is. */
export async function quoteNamedIn(
  context: Pick<FxContext, 'database' | 'seal'>,
  reference: string | null,
): Promise<Quote | undefined> {
  const codes = referenceCodesIn(reference ?? '')
  const quotes = await findReferredQuotes(context, codes)
  return codes.map((code) => quotes.find(({ referenceCode }) => referenceCode === code)).find(Boolean)
}
