/** Plays a provider of exchange in memory that fails as it is told to: it refuses, it loses answers, and its caller dies. */
import { newId } from '../../platform/ids.ts'
import type { FxProvider } from '../provider/fx-provider.ts'
import type { ProviderReceipt } from '../provider/receipt.ts'
import type { Conversion } from '../providers/conversion.ts'
import { FxRefusal, type FxRefusalKind } from '../providers/fx-provider-error.ts'
import type { PayoutState, ProviderPayment } from '../providers/payout.ts'

/** What becomes of the next calls that move something. */
export type Fault = (
  | { readonly is: 'refused'; readonly kind: FxRefusalKind }
  /** It is done, and nobody hears of it. */
  | { readonly is: 'answer lost' }
  /** The process that asked dies before, or after, it was done. */
  | { readonly is: 'death'; readonly done: boolean }
) & { readonly on?: keyof FxProvider }

type Kept<Thing> = Thing & { readonly requestId: string }
type Payout = Kept<ProviderPayment> & { readonly receiptId: string | null }

export type ScriptedProvider = FxProvider & {
  /** In the order in which they were made; one of each for each request id, as the port promises. */
  readonly conversions: Map<string, Kept<Conversion>>
  readonly payouts: Map<string, Payout>
  /** How often each thing was done. */
  readonly cancelled: string[]
  readonly arrived: ProviderReceipt[]
  /** Which of it is told of and cannot be read. */
  readonly unreadable: Set<string>
  /** The faults of the next calls, in order, each of any call or of the next one of a kind; null is none. */
  faults: (Fault | null)[]
  arrive(receipt: Omit<ProviderReceipt, 'id' | 'senderName'>): string
  /** Says how payouts stand from now on that are under way. */
  settlePayouts(state: PayoutState): void
  /** The rate is held no more. */
  quotesExpired: boolean
}

/** Thrown where the process that asked would have ended. */
export class DeathAtProvider extends Error {}

/** What is played: what the provider has, and what goes wrong next. */
type Script = Pick<
  ScriptedProvider,
  'conversions' | 'payouts' | 'cancelled' | 'arrived' | 'unreadable' | 'faults' | 'quotesExpired'
>

export function scriptedProvider(name = 'scripted'): ScriptedProvider {
  const script: Script = {
    ...{ conversions: new Map(), payouts: new Map(), cancelled: [], arrived: [], unreadable: new Set() },
    ...{ faults: [], quotesExpired: false },
  }
  const notAsked = () => Promise.reject(new Error('Nobody asks for this here'))
  // One object: what a test changes in it counts from then on.
  return Object.assign(script, {
    name,
    ...{ rate: notAsked, requirements: notAsked, validateBeneficiary: notAsked, quote: notAsked },
    ...{ intermediaryAccount: notAsked, deletePayout: notAsked, readNotice: () => null },
    ...conversionCalls(script),
    ...payoutCalls(script),
    ...receiptCalls(script),
    ...eventsAtProvider(script),
  })
}

function conversionCalls(
  script: Script,
): Pick<FxProvider, 'book' | 'findConversion' | 'readConversion' | 'cancelConversion'> {
  const { conversions, cancelled } = script
  return {
    book: ({ quote, requestId }) =>
      acting(script, 'book', () => {
        const known = conversions.get(requestId)
        if (known === undefined && script.quotesExpired) {
          throw new FxRefusal('quote-expired', 'The rate is held no more')
        }
        const conversion = known ?? {
          ...{ id: newId(), state: 'awaiting-funds' as const, providerStatus: 'awaiting_funds', buy: quote.buy },
          ...{ sell: quote.sell, settlesAt: null, requestId },
        }
        conversions.set(requestId, conversion)
        return conversion
      }),
    findConversion: (requestId) => acting(script, 'findConversion', () => conversions.get(requestId) ?? null),
    readConversion: (id) => acting(script, 'readConversion', () => withId(conversions, id)),
    cancelConversion: (id) =>
      acting(script, 'cancelConversion', () => {
        const conversion = withId(conversions, id)
        if (conversion.state !== 'cancelled') {
          cancelled.push(id)
          conversions.set(conversion.requestId, { ...conversion, state: 'cancelled', providerStatus: 'closed' })
        }
        return { loss: { minor: 7n, currency: conversion.sell.currency } }
      }),
  }
}

function payoutCalls(script: Script): Pick<FxProvider, 'createBeneficiary' | 'payOut' | 'findPayout' | 'readPayout'> {
  const { payouts } = script
  const beneficiaries = new Map<string, string>()
  return {
    createBeneficiary: (_beneficiary, requestId) =>
      acting(script, 'createBeneficiary', () => {
        beneficiaries.set(requestId, beneficiaries.get(requestId) ?? newId())
        return { id: beneficiaries.get(requestId) ?? '' }
      }),
    payOut: ({ requestId, amount, conversionId }) =>
      acting(script, 'payOut', () => payOut(payouts, { requestId, amount, conversionId, receiptId: null })),
    findPayout: (requestId) => acting(script, 'findPayout', () => payouts.get(requestId) ?? null),
    readPayout: (id) => acting(script, 'readPayout', () => withId(payouts, id)),
  }
}

function receiptCalls(script: Script): Pick<FxProvider, 'receipts' | 'readReceipt' | 'returnReceipt'> {
  const { arrived, payouts } = script
  return {
    receipts: async function* (since) {
      const found = await acting(script, 'receipts', () =>
        arrived.filter(({ receivedAt }) => Temporal.Instant.compare(receivedAt, since) >= 0),
      )
      for (const receipt of found) {
        const { id } = receipt
        const refusal = new FxRefusal('unreadable', 'Nobody can read it')
        yield [script.unreadable.has(id) ? { id, refusal } : receipt]
      }
    },
    readReceipt: (id) =>
      acting(script, 'readReceipt', () => arrived.find((receipt) => receipt.id === id) ?? withId(new Map(), id)),
    returnReceipt: (receiptId, requestId) =>
      acting(script, 'returnReceipt', () => {
        const receipt = arrived.find(({ id }) => id === receiptId)
        if (receipt === undefined) {
          throw new FxRefusal('unknown-resource', `There is no ${receiptId}`)
        }
        return { payoutId: payOut(payouts, { requestId, amount: receipt.amount, conversionId: null, receiptId }).id }
      }),
  }
}

/** What happens at the provider without being asked for. */
function eventsAtProvider({ arrived, payouts }: Script): Pick<ScriptedProvider, 'arrive' | 'settlePayouts'> {
  return {
    arrive: (receipt) => {
      const id = newId()
      arrived.push({ ...receipt, id, senderName: null })
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

/** Carries out what moves something, with the fault that is next. */
async function acting<Result>({ faults }: Script, call: keyof FxProvider, act: () => Result): Promise<Result> {
  const next = faults.findIndex((each) => each?.on === undefined || each.on === call)
  const [fault] = next < 0 ? [null] : faults.splice(next, 1)
  if (fault?.is === 'refused') {
    throw new FxRefusal(fault.kind, `The provider says ${fault.kind}`)
  }
  if (fault?.is === 'death' && !fault.done) {
    throw new DeathAtProvider('The process died before it asked')
  }
  const result = act()
  if (fault?.is === 'answer lost') {
    throw new FxRefusal('outcome-unknown', 'The answer was lost')
  }
  if (fault?.is === 'death') {
    throw new DeathAtProvider('The process died before it read the answer')
  }
  return result
}

function withId<Thing extends { id: string }>(things: Map<string, Thing>, id: string): Thing {
  const found = [...things.values()].find((thing) => thing.id === id)
  if (found === undefined) {
    throw new FxRefusal('unknown-resource', `There is no ${id}`)
  }
  return found
}

function payOut(
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
