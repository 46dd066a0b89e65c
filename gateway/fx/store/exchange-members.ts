/** What a quote or a deal exchanges, as its table has it: amounts in two currencies. */
import type { Money } from '../../platform/money.ts'
import type { BookableQuote } from '../providers/conversion.ts'

/** The price held at the provider; `cost` is what the payer pays, in the currency that is sold. */
type Exchange = { readonly held: BookableQuote; readonly cost: Money }

export type ExchangeMembers = Omit<BookableQuote, 'buy' | 'sell'> & {
  readonly costCurrency: string
  readonly costMinor: bigint
  readonly sellMinor: bigint
  readonly buyCurrency: string
  readonly buyMinor: bigint
}

export function exchangeMembers({ held, cost }: Exchange): ExchangeMembers {
  const { providerQuoteId, fixedSide, conversionDate, buy, sell } = held
  return {
    providerQuoteId,
    fixedSide,
    conversionDate,
    costCurrency: cost.currency,
    costMinor: cost.minor,
    sellMinor: sell.minor,
    buyCurrency: buy.currency,
    buyMinor: buy.minor,
  }
}

/** The members of a row, with those of the exchange as amounts. */
export function withExchange<Members extends ExchangeMembers>(
  members: Members,
): Omit<Members, keyof ExchangeMembers> & Exchange {
  const {
    providerQuoteId,
    fixedSide,
    conversionDate,
    costCurrency,
    costMinor,
    sellMinor,
    buyCurrency,
    buyMinor,
    ...others
  } = members
  const sell = { minor: sellMinor, currency: costCurrency }
  const buy = { minor: buyMinor, currency: buyCurrency }
  const held = { providerQuoteId, buy, sell, fixedSide, conversionDate }
  return { ...others, held, cost: { minor: costMinor, currency: costCurrency } }
}
