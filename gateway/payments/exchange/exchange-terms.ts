/** Says what partners are told of an exchange: what it costs, at which rate, until when, and where its funding goes. */
import type { ExchangeTerms } from '../../../contract/exchange.ts'
import { printMoney } from '../../foundation/money.ts'
import { rateOf } from '../../fx/exact-rate.ts'
import type { Quote } from '../../fx/quote.ts'
import { numberOf } from './funding-order.ts'

type IntermediaryShown = NonNullable<ExchangeTerms['intermediaryAccount']>

/** The terms of a quote that a payment books. */
export function exchangeTermsOf(
  quote: Pick<Quote, 'id' | 'cost' | 'held' | 'expiresAt' | 'intermediary'>,
): ExchangeTerms {
  return {
    costAmount: printMoney(quote.cost),
    exchangeRate: rateOf(quote.cost, quote.held.buy),
    quoteExpiryTime: quote.expiresAt.toString(),
    intermediaryAccount: shownIntermediary(quote.intermediary),
    quoteId: quote.id,
  }
}

function shownIntermediary(intermediary: Quote['intermediary']): IntermediaryShown {
  const { iban, bic, clearingCode, holder } = intermediary
  const { street, city, postCode, country } = holder.address
  return {
    account: {
      ...(iban === null ? {} : { iban }),
      bban: numberOf(intermediary),
      ...(bic === null ? {} : { bic }),
      ...(clearingCode === null ? {} : { clearingCode }),
    },
    contactInformation: {
      name: holder.name,
      address: {
        ...streetOf(street ?? ''),
        city: city ?? UNKNOWN,
        postCode: postCode ?? UNKNOWN,
        country: country ?? '',
      },
    },
  }
}

/** Where the provider does not tell a part that partners are promised. */
const UNKNOWN = '-'

/** Providers write a street with its number, before or behind it. */
function streetOf(street: string): { readonly streetName: string; readonly buildingNumber: string } {
  const ahead = /^(\d+\w?)[ ,]+(.+)$/.exec(street)
  const behind = /^(.+?)[ ,]+(\d+\w?)$/.exec(street)
  const [streetName = street, buildingNumber = ''] = ahead ? [ahead[2], ahead[1]] : behind ? behind.slice(1) : []
  return { streetName: streetName || UNKNOWN, buildingNumber: buildingNumber || UNKNOWN }
}
