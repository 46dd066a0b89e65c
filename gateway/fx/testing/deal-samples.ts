/** Sample data for deal tests: a quote of nine dollars for ninety kroner, and its beneficiary. */
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import type { BookingRequest } from '../deals/book-deal.ts'
import { newReferenceCode } from '../quotes/reference-code.ts'
import type { PayoutTerms } from '../store/deal.ts'
import type { Quote } from '../store/quote.ts'
import { insertQuote } from '../store/quote-store.ts'

const TERMS: PayoutTerms = {
  beneficiary: {
    name: 'Acme Tools Inc',
    entityType: 'company',
    bankCountry: 'US',
    currency: 'USD',
    account: { bban: '123456789' },
    bic: 'CHASUS33',
    clearingCode: '021000021',
    address: { country: 'US', street: '1 Main Street', city: 'New York', postCode: '10001' },
  },
  reference: 'Invoice 4711',
  reason: 'Payment of an invoice',
  purposeCode: null,
  method: 'priority',
  payer: null,
}

/** Inserts a quote that is valid for five minutes. */
export async function sampleQuote(context: Context, changes: Partial<Quote> = {}): Promise<Quote> {
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
    },
    ...changes,
  }
  await insertQuote(context, quote)
  return quote
}

/** A booking request of a new payment. */
export async function bookingRequest(context: Parameters<typeof sampleQuote>[0]): Promise<BookingRequest> {
  const quote = await sampleQuote(context)
  return { quote, terms: quote.terms, paymentId: newId() }
}
