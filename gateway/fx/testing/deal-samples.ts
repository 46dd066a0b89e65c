/** What tests of deals begin with: a quote of nine dollars for ninety kroner, and whom they are for. */
import { newId } from '../../platform/ids.ts'
import type { DealAsked } from '../book-deal.ts'
import type { FxContext } from '../fx-context.ts'
import type { Quote, QuoteTerms } from '../quotes/quote.ts'
import { insertQuote } from '../quotes/quote-store.ts'
import { newReferenceCode } from '../quotes/reference-code.ts'

const TERMS: QuoteTerms = {
  beneficiary: {
    name: 'Acme Tools Inc',
    entityType: 'company',
    bankCountry: 'US',
    currency: 'USD',
    account: { bban: '123456789' },
    bic: 'CHASUS33',
    clearingCode: '021000021',
    address: { country: 'US', street: '1 Main Street', city: 'New York', postCode: '10001', state: 'NY' },
  },
  reference: 'Invoice 4711',
  reason: 'Payment of an invoice',
  purposeCode: null,
  way: 'priority',
  paymentDate: null,
  payer: null,
}

/** A quote that is alive for five minutes, and kept. */
export async function sampleQuote(
  context: Pick<FxContext, 'database' | 'seal' | 'clock'>,
  changes: Partial<Quote> = {},
): Promise<Quote> {
  const now = context.clock.now()
  const sell = { minor: 9000n, currency: 'NOK' }
  const quote: Quote = {
    ...{ partnerId: newId(), id: newId(), referenceCode: newReferenceCode(), endToEndId: newId() },
    ...{ company: { countryCode: 'NO', organisationNumber: '987654325' }, markupPercent: null },
    ...{ fundingCountry: 'NO', provider: 'scripted', cost: sell, createdAt: now, terms: TERMS },
    fundingDate: now.toZonedDateTimeISO('Europe/Oslo').toPlainDate(),
    expiresAt: now.add({ minutes: 5 }),
    held: {
      ...{ providerQuoteId: newId(), sell, fixedSide: 'buy', conversionDate: null },
      buy: { minor: 900n, currency: 'USD' },
    },
    intermediary: {
      holder: { name: 'Client account', address: { street: null, city: null, postCode: null, country: null } },
      ...{ country: 'NO', currency: 'NOK', iban: null, bban: '86011117947', bic: null, clearingCode: null },
      ...{ bankName: null },
    },
    ...changes,
  }
  await insertQuote(context, quote)
  return quote
}

/** What a payment of its own asks to be booked. */
export async function dealAsked(context: Parameters<typeof sampleQuote>[0]): Promise<DealAsked> {
  const quote = await sampleQuote(context)
  return { quote, terms: quote.terms, paymentId: newId() }
}
