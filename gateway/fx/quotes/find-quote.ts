/** Finds a quote, for modules outside FX. */
import type { Context } from '../../context.ts'
import type { Quote, QuoteKey } from '../store/quote.ts'
import { findQuoteById, findQuotesByReferenceCodes } from '../store/quote-store.ts'
import { referenceCodesIn } from './reference-code.ts'

/** The partner's quote with this id. */
export async function findQuote(context: Context, key: QuoteKey): Promise<Quote | undefined> {
  return await findQuoteById(context, key)
}

/** Searches the quotes of all partners; if the text has several codes, the first known one counts. */
export async function findQuoteByReferenceText(context: Context, reference: string | null): Promise<Quote | undefined> {
  const codes = referenceCodesIn(reference ?? '')
  const quotes = await findQuotesByReferenceCodes(context, codes)
  return codes.map((code) => quotes.find(({ referenceCode }) => referenceCode === code)).find(Boolean)
}
