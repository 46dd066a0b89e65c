/** What the conformance suite of providers plays with: a provider that may be disturbed, and the connector that speaks to it. */
import type { Money } from '../../../platform/money.ts'
import type { FxProvider } from '../../provider/fx-provider.ts'
import type { Beneficiary, BeneficiaryPart } from '../beneficiary.ts'
import { FxRefusal, type FxRefusalKind } from '../fx-provider-error.ts'
import type { ArrivedNotice } from '../provider-notification.ts'

/** Where a disturbance strikes: what the connector asks next of this kind. */
export type Disturbed = 'booking' | 'cancelling' | 'paying-out' | 'reading'

/** A provider that the suite may play with, and the connector that speaks to it. It is morning of a day on which it deals. */
export type FxHarness = {
  readonly provider: FxProvider
  /** Currencies that it exchanges for each other, and the country from which the sold one is paid. */
  readonly pair: { readonly buy: string; readonly sell: string; readonly country: string }
  /** A receiver that it takes, of the bought currency. */
  readonly receiver: Beneficiary
  /** Receivers that it does not take, each for one part. */
  readonly unsound: readonly (readonly [part: BeneficiaryPart, receiver: Beneficiary])[]
  /** Exchanges of a currency that it does not deal in. */
  readonly untraded: string
  now(): Promise<Temporal.Instant>
  /** Lets time pass at the provider, and what falls due by then happen. */
  pass(duration: Temporal.DurationLike): Promise<void>
  /** Somebody pays to the account that is domestic to the pair's country. */
  send(amount: Money, reference: string): Promise<void>
  /** The next one is carried out, and its answer does not arrive; or only half of it. */
  loseAnswer(of: Disturbed, how: 'whole' | 'half'): Promise<void>
  /** The provider is not there for the next one. */
  beDown(of: Disturbed): Promise<void>
  /** The provider has had enough of us for now. */
  turnAway(): Promise<void>
  /** Every login is forgotten. */
  endSessions(): Promise<void>
  /** The next payout is stopped on its way, refused by its receiver's bank, or sent back by it. */
  fail(how: 'held' | 'failed' | 'returned'): Promise<void>
  /** The next conversion cannot be cancelled for the moment. */
  refuseCancelling(): Promise<void>
  /** Nobody deals now. */
  close(of: 'market'): Promise<void>
  /** What the provider has pushed to us since it was last asked. */
  arrived(): Promise<readonly ArrivedNotice[]>
  /** How many conversions, and payouts, the provider holds under an id of ours. */
  held(requestId: string): Promise<number>
  end(): Promise<void>
}

/** What a promise was refused as; a failure when it was not. */
export async function refusal(promise: Promise<unknown>): Promise<FxRefusal> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (error instanceof FxRefusal) {
    return error
  }
  throw new Error('It was not refused by the provider', { cause: error })
}

/** The kind alone. */
export async function kindOf(promise: Promise<unknown>): Promise<FxRefusalKind> {
  return (await refusal(promise)).kind
}

/** The harness once it is open, and what every part of the suite begins with. */
export type OpenedFx = {
  harness(): FxHarness
  /** A held quote for an amount of the bought currency that no other quote here has. */
  quoted(): ReturnType<FxProvider['quote']>
  /** A conversion that was booked at such a quote. */
  booked(): ReturnType<FxProvider['book']>
}

/** The first steps of most tests. */
export function openedFx(harness: () => FxHarness): OpenedFx {
  let quotes = 0n
  const quoted: OpenedFx['quoted'] = async () => {
    const { provider, pair } = harness()
    quotes += 1n
    return await provider.quote({
      buyCurrency: pair.buy,
      sellCurrency: pair.sell,
      fixedSide: 'buy',
      amount: { minor: 100_000n + quotes * 111n, currency: pair.buy },
      conversionDate: null,
      holdSeconds: 120,
    })
  }
  const booked: OpenedFx['booked'] = async () =>
    await harness().provider.book({ quote: await quoted(), requestId: crypto.randomUUID(), reason: 'Goods' })
  return { harness, quoted, booked }
}
