/** Checks that the FX provider answers what every quote needs, to find wrong settings before partners do. */
import { rulesByCountry } from '../../countries/served-countries.ts'
import type { Money } from '../../platform/money.ts'
import type { FxProvider } from './fx-provider.ts'
import { FxProviderError } from './fx-provider-error.ts'

/** The result for one funding country. */
export type ProviderCheck = {
  readonly country: string
  readonly currency: string
  /** The provider's account to pay to; null when there is no domestic one. */
  readonly account: string | null
  /** The current price of the sample amount. */
  readonly cost: Money | null
  readonly fault: string | null
}

/** A small sample amount: euro, or dollars where euro is the sold currency. */
const BOUGHT = { minor: 10_000n, currency: 'EUR' } as const
const BOUGHT_FOR_EURO = { minor: 10_000n, currency: 'USD' } as const

/** Checks each funding country; no rate is held and nothing is booked. */
export async function checkProvider(provider: FxProvider): Promise<readonly ProviderCheck[]> {
  const checks: ProviderCheck[] = []
  for (const [country, { currency }] of Object.entries(rulesByCountry)) {
    checks.push(await checkFundingCountry(provider, { country, currency }))
  }
  return checks
}

async function checkFundingCountry(
  provider: FxProvider,
  funding: { readonly country: string; readonly currency: string },
): Promise<ProviderCheck> {
  const { currency } = funding
  const amount = currency === BOUGHT.currency ? BOUGHT_FOR_EURO : BOUGHT
  const request = { buyCurrency: amount.currency, sellCurrency: currency, fixedSide: 'buy', amount } as const
  try {
    const account = await provider.intermediaryAccount(funding)
    const { sell } = await provider.rate({ ...request, conversionDate: null })
    const fault = account === null ? 'no domestic account to pay to' : null
    return { ...funding, account: account?.iban ?? account?.bban ?? null, cost: sell, fault }
  } catch (error) {
    if (!(error instanceof FxProviderError)) {
      throw error
    }
    const { kind, message } = error
    return { ...funding, account: null, cost: null, fault: `${kind}: ${message}` }
  }
}
