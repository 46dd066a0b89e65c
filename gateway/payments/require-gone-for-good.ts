/** Makes sure that an order which its bank let lapse cannot be carried out beside the one that takes its place. */

import { carriedParts } from '../banks/carried-parts.ts'
import type { BookedEntry } from '../banks/connector/bank-account.ts'
import { BankRefusal, isGone } from '../banks/connector/bank-error.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { accountNumbered } from '../consents/find-account.ts'
import { mayReadByJob } from '../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../context.ts'
import { freeOf } from '../orders/matching/entry-settlement-store.ts'
import type { HeldPayment } from '../orders/payment.ts'
import { contentsOf } from '../orders/payroll/order-contents.ts'
import { countAlike } from '../orders/status/expired-order-store.ts'
import { newBankRequestId } from '../platform/ids.ts'
import { atBank } from './follow-payment.ts'
import { keyEntries, mayBeOf } from './match-entries.ts'
import { NotPlacedAgain } from './not-placed-again.ts'

/** Says nothing of the order. */
const MAY_PASS: ReadonlySet<BankRefusal['kind']> = new Set([
  'unavailable',
  'outcome-unknown',
  'too-many-reads',
  'consent-invalid',
  'misconfigured',
])

/** Throws `NotPlacedAgain`, or the bank's refusal where it could not be asked. */
export async function requireGoneForGood(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: HeldPayment,
): Promise<void> {
  await requireNotBooked(context, caller, bank, payment)
  await withdrawFormer(context, payment)
}

/** What the bank holds after all is withdrawn there, and what it does not hold is not withdrawn: both will do. */
async function withdrawFormer(context: Context, payment: HeldPayment): Promise<void> {
  const { payments, caller } = await atBank(context, payment)
  try {
    if ((await payments.cancellation.cancel(caller, payment, newBankRequestId())) === 'accepted') {
      return
    }
  } catch (error) {
    if (isGone(error)) {
      return
    }
    if (!(error instanceof BankRefusal) || MAY_PASS.has(error.kind)) {
      throw error
    }
    context.log.warn({ paymentId: payment.id, refusal: error.kind }, 'a lapsed order could not be withdrawn')
  }
  throw new NotPlacedAgain(
    'was dropped by its bank, which does not confirm that it is withdrawn; it could be carried out twice',
  )
}

/**
 * An order can have been signed in the netbank and booked before its bank lost sight of it. An entry that fits and that
 * none of our other payments accounts for is taken to be it.
 */
async function requireNotBooked(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: HeldPayment,
): Promise<void> {
  const entries = keyEntries(await bookedSinceDue(context, caller, bank, payment))
  const { countryCode } = payment
  const { bookable } = await contentsOf(context, payment)
  const sought = bookable.map((part) => {
    const sentId = carriedParts(bank).endToEndId(part.endToEndId)
    return { ...part, countryCode, sentId }
  })
  const soughtBySum = Map.groupBy(sought, ({ amount }) => amount.minor)
  const ofItsSum = ({ amount }: BookedEntry) => soughtBySum.get(-amount.minor) ?? []
  const fitting = entries.filter((entry) => ofItsSum(entry).some((part) => mayBeOf(entry, part)))
  const free = await freeOf(context.database, payment, fitting)
  if (free.length > 0 && free.length > (await countAlike(context.database, payment))) {
    throw new NotPlacedAgain('was dropped by its bank, but the account shows an entry that may be it')
  }
}

/** Nothing is booked before its day. What cannot be read stays unknown: the withdrawal is what counts. */
async function bookedSinceDue(
  context: Context,
  { consent, psu }: ConsentCaller,
  bank: Bank,
  payment: HeldPayment,
): Promise<readonly BookedEntry[]> {
  const today = context.clock.today(bank.profile.timeZone)
  const { accounts } = context.banks.connectorOf(bank)
  const account = await accountNumbered(context, consent, payment.debtorBban)
  const isDue = Temporal.PlainDate.compare(payment.dueDate, today) <= 0
  if (!isDue || accounts === undefined || account === undefined) {
    return []
  }
  const read = { bank, consent, kind: 'entries', stableId: account.stableId } as const
  if (psu === null && !(await mayReadByJob(context, read))) {
    return []
  }
  try {
    const days = { from: payment.dueDate, to: today }
    const asking = await callerAtBank(context, { bank, consent, psu })
    return await accounts.bookedEntries(asking, account.resourceId, days)
  } catch (error) {
    if (error instanceof BankRefusal) {
      context.log.warn({ paymentId: payment.id, refusal: error.kind }, 'the entries of an account could not be read')
      return []
    }
    throw error
  }
}
