/** Hands one payout of a payroll to its bank as an order of its own: kept before the bank is asked, and asked once. */
import type { PayrollTransactionAsked } from '../../../contract/payrolls/payroll-request.ts'
import { BankRefusal, type BankRefusalKind } from '../../banks/connector/bank-error.ts'
import type { DomesticPaymentProduct } from '../../banks/connector/connector.ts'
import type { DomesticOrder } from '../../banks/connector/domestic-order.ts'
import type { OrderTaken } from '../../banks/connector/order-at-bank.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { callerAtBank } from '../../consents/caller-at-bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { withLiveTokens } from '../../consents/with-live-tokens.ts'
import type { Context } from '../../context.ts'
import { refusalText } from '../../orders/payroll/bank-error-message.ts'
import { singleOrderOf } from '../../orders/payroll/build-payroll-orders.ts'
import { findOpenOrder } from '../../orders/payroll/find-payroll-of-order.ts'
import { contentDigest, type PayrollContents, type PayrollKey } from '../../orders/payroll/payroll-order.ts'
import {
  AlreadyCarried,
  forgetPayouts,
  keepPayoutsIntent,
  type PayrollFacts,
} from '../../orders/payroll/payroll-submission.ts'
import { releasePayout } from '../../orders/payroll/submission-progress-store.ts'
import { giveUp } from '../../orders/submission/fail-submission.ts'
import type { Intent } from '../../orders/submission/submission.ts'
import { initiationStatements, type KeepAcceptance } from '../../orders/submission/submission-store.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { atomically, type Queryable } from '../../platform/database/in-transaction.ts'
import { Refusal } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { takenInOwnWords } from './in-own-words.ts'
import { keepPayoutsTaken } from './keep-payouts.ts'

/** What every payout of a payroll is placed with. */
export type SinglePlacing = {
  readonly caller: ConsentCaller
  readonly bank: Bank
  readonly product: DomesticPaymentProduct
  /** The debtor's as the bank shows it; null where it shows none. */
  readonly debtorIban: string | null
  readonly payroll: PayrollFacts
  readonly contents: Pick<PayrollContents, 'from' | 'purposeCode'>
  /** Whether the payroll is still being placed; what says no more may not become true before the transaction ends. */
  readonly isOpen: (transaction: Queryable) => Promise<boolean>
  /** Keeps with the refusal of a payout what follows for the payroll. */
  readonly noteRefused: (transaction: Queryable, text: string) => Promise<void>
}

/** One payout, by its position from 0. */
export type Payout = { readonly position: number; readonly asked: PayrollTransactionAsked }

/**
 * What came of it: the bank holds the order; refuses the payout; did not take it now, for a reason that will pass; may or
 * may not hold it; or was not asked, because somebody else sees to the payout or the payroll is not open any more, or
 * because another payroll has an equal payout of which nobody knows whether the bank took it.
 */
export type PlacingOutcome =
  | { readonly how: 'placed' | 'unknown' | 'not-asked' }
  | { readonly how: 'blocked'; readonly payrollId: string }
  | { readonly how: 'refused' | 'put-off'; readonly text: string }

/** Places payouts of any payroll. */
export type PlaceSingle = (placing: SinglePlacing, payout: Payout) => Promise<PlacingOutcome>

type SingleIntent = Intent<DomesticOrder> & PayrollKey

/** Says nothing of the payout: another user, or another time, may have it taken. */
const WILL_PASS: ReadonlySet<BankRefusalKind> = new Set([
  'unavailable',
  'too-many-reads',
  'consent-invalid',
  'token-invalid',
  'authentication-busy',
  'misconfigured',
  // Of this user: another one of the company may pay from the account.
  'access-denied',
  'account-unknown',
])

/** Makes what places payouts; the statement that keeps answers is shared by all of them. */
export function singlePlacer(context: Context): PlaceSingle {
  const { keepAcceptance } = initiationStatements(context.database)
  return async (placing, payout) => {
    const kept = await keepIntent(context, placing, payout)
    return 'how' in kept
      ? kept
      : await ask(context, placing, { intent: kept, position: payout.position }, keepAcceptance)
  }
}

/** Or why the payout is not placed, or not now. */
async function keepIntent(
  context: Context,
  { payroll, bank, debtorIban, contents, isOpen }: SinglePlacing,
  { position, asked }: Payout,
): Promise<SingleIntent | PlacingOutcome> {
  const { partnerId, payrollId, currency, dueDate } = payroll
  const ordered = { ...contents, transactions: [asked] }
  const order = singleOrderOf(ordered, { countryCode: bank.countryCode, currency, dueDate, debtorIban })
  const { endToEndId } = order
  const toKeep = { id: newId(), payroll, as: 'single', endToEndId, order } as const
  const digest = await contentDigest(context.seal, ordered)
  try {
    return await atomically(context.database, async (transaction) => {
      const isStillOpen = await isOpen(transaction)
      const range = { first: position, count: 1 }
      return isStillOpen
        ? (await keepPayoutsIntent(context, transaction, { ...toKeep, digest, range })).intent
        : { how: 'not-asked' }
    })
  } catch (error) {
    if (error instanceof AlreadyCarried) {
      return { how: 'not-asked' }
    }
    if (isConstraintViolation(error, 'payments_open_outcome')) {
      // Another payroll ordered the same, and whether the bank took that is not known; or somebody else is placing this one.
      const other = await findOpenOrder(context, { partnerId, endToEndId, digest, currency })
      return other === undefined || other === payrollId ? { how: 'not-asked' } : { how: 'blocked', payrollId: other }
    }
    throw error
  }
}

type Asked = { readonly intent: SingleIntent; readonly position: number }

async function ask(
  context: Context,
  placing: SinglePlacing,
  { intent, position: first }: Asked,
  keepAcceptance: KeepAcceptance,
): Promise<PlacingOutcome> {
  let taken: OrderTaken
  try {
    taken = await initiate(context, placing, intent)
  } catch (error) {
    return error instanceof BankRefusal && error.kind !== 'outcome-unknown'
      ? await keepRefusal(context, placing, intent, error)
      : await leaveUnknown(context, intent, error)
  }
  const { bank } = placing
  try {
    await keepPayoutsTaken(context, { intent, first, taken }, { keepAcceptance, idempotent: null, bank })
    return { how: 'placed' }
  } catch (error) {
    // People have been told of what could not be kept.
    if (error instanceof Refusal) {
      return { how: 'unknown' }
    }
    throw error
  }
}

async function initiate(
  context: Context,
  { caller: { consent, psu }, bank, product }: SinglePlacing,
  { order, bankRequestId: requestId, notification }: SingleIntent,
): Promise<OrderTaken> {
  return await withLiveTokens(context, { partnerId: consent.partnerId, consentId: consent.id }, async () => {
    const asking = await callerAtBank(context, { bank, consent, psu })
    return await takenInOwnWords(() => product.initiate(asking, order, { requestId, notification }))
  })
}

/** The payout has no order then; what will not pass is its status from then on. */
async function keepRefusal(
  context: Context,
  { noteRefused }: SinglePlacing,
  intent: SingleIntent,
  refusal: BankRefusal,
): Promise<PlacingOutcome> {
  const { payrollId, paymentId } = intent
  const text = refusalText(refusal)
  const willPass = WILL_PASS.has(refusal.kind)
  context.log.warn({ payrollId, refusal: refusal.kind }, 'a bank did not take an order of a payroll')
  await forgetPayouts(context, intent, async (transaction) => {
    const told = willPass ? null : { text, at: context.clock.now() }
    await releasePayout(transaction, intent, paymentId, told)
    await (told && noteRefused(transaction, text))
  })
  return { how: willPass ? 'put-off' : 'refused', text }
}

/** What cannot be kept now stays an intent, which recovery takes up as an unknown outcome. */
async function leaveUnknown(context: Context, intent: SingleIntent, error: unknown): Promise<PlacingOutcome> {
  // Messages may repeat what was sent; a name does not.
  const cause = error instanceof BankRefusal ? error.kind : error instanceof Error ? error.name : 'thrown'
  await giveUp(context, intent, 'unknown', cause)
  return { how: 'unknown' }
}
