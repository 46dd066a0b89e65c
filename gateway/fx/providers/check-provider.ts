/** Asks the provider of exchange what every quote needs of it, so that wrong settings show before a partner meets them. */
import type { Money } from '../../platform/money.ts'
import type { FxProvider } from '../provider/fx-provider.ts'
import { FxRefusal } from './fx-provider-error.ts'

/** Paying from one country: what the provider answered, or why it did not. */
export type ProviderCheck = {
  readonly country: string
  readonly currency: string
  /** The account to pay to; null when there is none that is domestic there. */
  readonly account: string | null
  /** What the bought amount costs now. */
  readonly cost: Money | null
  readonly fault: string | null
}

/** A small amount that everybody deals in; of euro, which is sold in Finland, dollars take the place. */
const BOUGHT = { minor: 10_000n, currency: 'EUR' } as const
const BOUGHT_FOR_EURO = { minor: 10_000n, currency: 'USD' } as const

const FUNDED_FROM = [
  { country: 'NO', currency: 'NOK' },
  { country: 'SE', currency: 'SEK' },
  { country: 'DK', currency: 'DKK' },
  { country: 'FI', currency: 'EUR' },
] as const

/** Asks for each country that payments come from; nothing is held or booked. */
export async function checkProvider(provider: FxProvider): Promise<readonly ProviderCheck[]> {
  const checks: ProviderCheck[] = []
  for (const place of FUNDED_FROM) {
    checks.push(await checkPlace(provider, place))
  }
  return checks
}

async function checkPlace(
  provider: FxProvider,
  place: { readonly country: string; readonly currency: string },
): Promise<ProviderCheck> {
  const { currency } = place
  const amount = currency === BOUGHT.currency ? BOUGHT_FOR_EURO : BOUGHT
  const asked = { buyCurrency: amount.currency, sellCurrency: currency, fixedSide: 'buy', amount } as const
  try {
    const account = await provider.intermediaryAccount(place)
    const { sell } = await provider.rate({ ...asked, conversionDate: null })
    const fault = account === null ? 'no domestic account to pay to' : null
    return { ...place, account: account?.iban ?? account?.bban ?? null, cost: sell, fault }
  } catch (error) {
    if (!(error instanceof FxRefusal)) {
      throw error
    }
    const { kind, message } = error
    return { ...place, account: null, cost: null, fault: `${kind}: ${message}` }
  }
}
