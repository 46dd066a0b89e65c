/** Finds the quote that inbound funds name by its reference code. */
import type { Context } from '../../context.ts'
import type { Quote } from './quote.ts'
import { findQuotesByReferenceCodes } from './quote-store.ts'
import { referenceCodesIn } from './reference-code.ts'

/** Searches the quotes of all partners; if the text has several codes, the first known one counts. */
export async function findQuoteByReferenceText(context: Context, reference: string | null): Promise<Quote | undefined> {
  const codes = referenceCodesIn(reference ?? '')
  const quotes = await findQuotesByReferenceCodes(context, codes)
  return codes.map((code) => quotes.find(({ referenceCode }) => referenceCode === code)).find(Boolean)
}
