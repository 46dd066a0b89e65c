/** Simulates an FX provider in memory with injected faults: rejections, lost responses, and crashes of the caller. */
import { newId } from '../../platform/ids.ts'
import type { Conversion } from '../providers/conversion.ts'
import type { FxProvider, ProviderInboundFunds } from '../providers/fx-provider.ts'
import { FxProviderError, type FxProviderErrorKind } from '../providers/fx-provider-error.ts'
import type { PayoutState, ProviderPayout } from '../providers/payout.ts'

/** A fault of the next call. */
export type Fault = (
  | { readonly is: 'rejected'; readonly kind: FxProviderErrorKind }
  /** The call is executed, but the response is lost. */
  | { readonly is: 'answer lost' }
  /** The calling process crashes before, or after, the call is executed. */
  | { readonly is: 'death'; readonly done: boolean }
) & { readonly on?: keyof FxProvider }

type WithRequestId<Thing> = Thing & { readonly requestId: string }
type Payout = WithRequestId<ProviderPayout> & {
  readonly conversionId: string | null
  readonly receiptId: string | null
}

export type ScriptedProvider = FxProvider & {
  /** In order of creation; one per request id, as the port requires. */
  readonly conversions: Map<string, WithRequestId<Conversion>>
  readonly payouts: Map<string, Payout>
  /** Ids of cancelled conversions, in order. */
  readonly cancelled: string[]
  readonly arrived: ProviderInboundFunds[]
  /** Receipts that cannot be parsed. */
  readonly unreadable: Set<string>
  /** Faults of the next calls, in order, each for any call or for the next one of `on`; null for none. */
  faults: (Fault | null)[]
  arrive(receipt: Omit<ProviderInboundFunds, 'id'>): string
  /** Sets the state of all payouts in flight. */
  settlePayouts(state: PayoutState): void
  /** Held rates have expired. */
  quotesExpired: boolean
}

/** Thrown where the calling process would crash. */
export class SimulatedCrash extends Error {}

/** The provider's data and the injected faults. */
type Script = Pick<
  ScriptedProvider,
  'conversions' | 'payouts' | 'cancelled' | 'arrived' | 'unreadable' | 'faults' | 'quotesExpired'
>

export function scriptedProvider(name = 'scripted'): ScriptedProvider {
  const script: Script = {
    ...{ conversions: new Map(), payouts: new Map(), cancelled: [], arrived: [], unreadable: new Set() },
    ...{ faults: [], quotesExpired: false },
  }
  const unsupported = () => Promise.reject(new Error('Not supported by the scripted provider'))
  // The same object, so that changes by a test take effect.
  return Object.assign(script, {
    name,
    ...{ rate: unsupported, validateBeneficiary: unsupported, quote: unsupported },
    ...{ intermediaryAccount: unsupported, parseNotification: () => null },
    ...conversionCalls(script),
    ...payoutCalls(script),
    ...receiptCalls(script),
    ...eventsAtProvider(script),
  })
}

function conversionCalls(
  script: Script,
): Pick<FxProvider, 'book' | 'findConversion' | 'readConversion' | 'conversionsBooked' | 'cancelConversion'> {
  const { conversions, cancelled } = script
  return {
    book: ({ quote, requestId }) =>
      executeCall(script, 'book', () => {
        const known = conversions.get(requestId)
        if (known === undefined && script.quotesExpired) {
          throw new FxProviderError('quote-expired', 'The rate is no longer held')
        }
        const conversion = known ?? {
          ...{ id: newId(), state: 'awaiting-funds' as const, providerStatus: 'awaiting_funds', buy: quote.buy },
          ...{ sell: quote.sell, settlesAt: null, requestId },
        }
        conversions.set(requestId, conversion)
        return conversion
      }),
    findConversion: (requestId) => executeCall(script, 'findConversion', () => conversions.get(requestId) ?? null),
    readConversion: (id) => executeCall(script, 'readConversion', () => withId(conversions, id)),
    conversionsBooked: async function* () {
      yield await executeCall(script, 'conversionsBooked', () => [...conversions.values()])
    },
    cancelConversion: (id) =>
      executeCall(script, 'cancelConversion', () => {
        const conversion = withId(conversions, id)
        if (conversion.state !== 'cancelled') {
          cancelled.push(id)
          conversions.set(conversion.requestId, { ...conversion, state: 'cancelled', providerStatus: 'closed' })
        }
        return { loss: { minor: 7n, currency: conversion.sell.currency } }
      }),
  }
}

function payoutCalls(
  script: Script,
): Pick<FxProvider, 'createBeneficiary' | 'orderPayout' | 'findPayout' | 'readPayout'> {
  const { payouts } = script
  const beneficiaries = new Map<string, string>()
  return {
    createBeneficiary: (_beneficiary, requestId) =>
      executeCall(script, 'createBeneficiary', () => {
        beneficiaries.set(requestId, beneficiaries.get(requestId) ?? newId())
        return { id: beneficiaries.get(requestId) ?? '' }
      }),
    orderPayout: ({ requestId, amount, conversionId }) =>
      executeCall(script, 'orderPayout', () =>
        orderPayout(payouts, { requestId, amount, conversionId, receiptId: null }),
      ),
    findPayout: (requestId) => executeCall(script, 'findPayout', () => payouts.get(requestId) ?? null),
    readPayout: (id) => executeCall(script, 'readPayout', () => withId(payouts, id)),
  }
}

function receiptCalls(script: Script): Pick<FxProvider, 'inboundFunds' | 'readInboundFunds' | 'returnInboundFunds'> {
  const { arrived, payouts } = script
  return {
    inboundFunds: async function* (since) {
      const found = await executeCall(script, 'inboundFunds', () =>
        arrived.filter(({ receivedAt }) => Temporal.Instant.compare(receivedAt, since) >= 0),
      )
      for (const receipt of found) {
        const { id } = receipt
        const error = new FxProviderError('unreadable', 'It cannot be parsed')
        yield [script.unreadable.has(id) ? { id, error } : receipt]
      }
    },
    readInboundFunds: (id) =>
      executeCall(script, 'readInboundFunds', () => {
        if (script.unreadable.has(id)) {
          throw new FxProviderError('unreadable', 'It cannot be parsed')
        }
        return arrived.find((receipt) => receipt.id === id) ?? withId(new Map(), id)
      }),
    returnInboundFunds: ({ id: receiptId }, requestId) =>
      executeCall(script, 'returnInboundFunds', () => {
        const receipt = arrived.find(({ id }) => id === receiptId)
        if (receipt === undefined) {
          throw new FxProviderError('unknown-resource', `There is no ${receiptId}`)
        }
        return {
          payoutId: orderPayout(payouts, { requestId, amount: receipt.amount, conversionId: null, receiptId }).id,
        }
      }),
  }
}

function eventsAtProvider({ arrived, payouts }: Script): Pick<ScriptedProvider, 'arrive' | 'settlePayouts'> {
  return {
    arrive: (receipt) => {
      const id = newId()
      arrived.push({ ...receipt, id })
      return id
    },
    settlePayouts: (state) => {
      for (const payout of payouts.values()) {
        if (payout.state !== 'completed' && payout.state !== 'failed') {
          payouts.set(payout.requestId, { ...payout, state, providerStatus: state })
        }
      }
    },
  }
}

/** Executes a call with the next fault. */
async function executeCall<Result>({ faults }: Script, call: keyof FxProvider, execute: () => Result): Promise<Result> {
  const next = faults.findIndex((each) => each?.on === undefined || each.on === call)
  const [fault] = next < 0 ? [null] : faults.splice(next, 1)
  if (fault?.is === 'rejected') {
    throw new FxProviderError(fault.kind, `The provider says ${fault.kind}`)
  }
  if (fault?.is === 'death' && !fault.done) {
    throw new SimulatedCrash('The process crashed before the call')
  }
  const result = execute()
  if (fault?.is === 'answer lost') {
    throw new FxProviderError('outcome-unknown', 'The answer was lost')
  }
  if (fault?.is === 'death') {
    throw new SimulatedCrash('The process crashed before it read the response')
  }
  return result
}

function withId<Thing extends { id: string }>(things: Map<string, Thing>, id: string): Thing {
  const found = [...things.values()].find((thing) => thing.id === id)
  if (found === undefined) {
    throw new FxProviderError('unknown-resource', `There is no ${id}`)
  }
  return found
}

function orderPayout(
  payouts: Map<string, Payout>,
  { requestId, amount, conversionId, receiptId }: Pick<Payout, 'requestId' | 'amount' | 'conversionId' | 'receiptId'>,
): Payout {
  const payout: Payout = payouts.get(requestId) ?? {
    ...{ id: newId(), requestId, state: 'waiting', providerStatus: 'ready_to_send', amount, conversionId },
    ...{ failureReason: null, returned: null, receiptId },
  }
  payouts.set(requestId, payout)
  return payout
}
