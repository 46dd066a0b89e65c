/** Defines the harness of the FX conformance suite: a provider with injected faults, and its connector. */
import type { Money } from '../../../platform/money.ts'
import type { Beneficiary, BeneficiaryPart } from '../beneficiary.ts'
import type { FxProvider, ReceivedNotification } from '../fx-provider.ts'
import { FxProviderError, type FxProviderErrorKind } from '../fx-provider-error.ts'

/** The kind of call that a fault applies to. */
export type FaultTarget = 'booking' | 'cancelling' | 'paying-out' | 'reading'

/** A provider under test and its connector, on a morning during trading hours. */
export type FxConformanceHarness = {
  readonly provider: FxProvider
  /** A currency pair that it trades, and the country that funds the sold one. */
  readonly pair: { readonly buy: string; readonly sell: string; readonly country: string }
  /** A valid beneficiary in the bought currency. */
  readonly receiver: Beneficiary
  /** Invalid beneficiaries, each with its invalid field. */
  readonly unsound: readonly (readonly [part: BeneficiaryPart, receiver: Beneficiary])[]
  /** A currency that it does not trade. */
  readonly untraded: string
  now(): Promise<Temporal.Instant>
  /** Advances the provider's clock, and runs what becomes due. */
  pass(duration: Temporal.DurationLike): Promise<void>
  /** Pays to the account that is domestic to the pair's country. */
  send(amount: Money, reference: string): Promise<void>
  /** The next call is executed, but its response is lost or cut in half. */
  loseAnswer(of: FaultTarget, part: 'whole' | 'half'): Promise<void>
  /** The provider is down for the next call. */
  beDown(of: FaultTarget): Promise<void>
  /** The provider rejects the next call with 429. */
  turnAway(): Promise<void>
  endSessions(): Promise<void>
  /** The next payout is suspended, rejected by the receiver's bank, or returned. */
  fail(fault: 'held' | 'failed' | 'returned'): Promise<void>
  /** The next cancellation of a conversion fails once. */
  rejectCancelling(): Promise<void>
  /** Closes trading. */
  close(of: 'market'): Promise<void>
  /** The notifications since the last call. */
  arrived(): Promise<readonly ReceivedNotification[]>
  /** The number of conversions and payouts with a request id. */
  held(requestId: string): Promise<number>
  end(): Promise<void>
}

/** The error that a promise rejects with; fails if it does not reject with an `FxProviderError`. */
export async function fxErrorOf(promise: Promise<unknown>): Promise<FxProviderError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (error instanceof FxProviderError) {
    return error
  }
  throw new Error('Expected an FxProviderError', { cause: error })
}

/** The kind alone. */
export async function rejectionKindOf(promise: Promise<unknown>): Promise<FxProviderErrorKind> {
  return (await fxErrorOf(promise)).kind
}

/** The harness once it is open, and the preconditions of every part of the suite. */
export type FxConformanceTools = {
  harness(): FxConformanceHarness
  /** A held quote, with an amount that no other quote has. */
  quoted(): ReturnType<FxProvider['quote']>
  /** A conversion booked at such a quote. */
  booked(): ReturnType<FxProvider['book']>
}

export function fxConformanceTools(harness: () => FxConformanceHarness): FxConformanceTools {
  let quotes = 0n
  const quoted: FxConformanceTools['quoted'] = async () => {
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
  const booked: FxConformanceTools['booked'] = async () =>
    await harness().provider.book({ quote: await quoted(), requestId: crypto.randomUUID(), reason: 'Goods' })
  return { harness, quoted, booked }
}
