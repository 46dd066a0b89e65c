/** Ensures that an expired order cannot be executed in addition to its resubmission. */

import { type Bank, endToEndIdAt } from '../../banks/connector/bank.ts'
import type { BookedEntry } from '../../banks/connector/bank-account.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { endsAccess, isOfKind, isTemporary } from '../../banks/connector/bank-error-classification.ts'
import { endToEndIdFor } from '../../banks/connector/shorten-end-to-end-id.ts'
import { bankCallerOf } from '../../consents/call-bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { reserveJobRead } from '../../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../../context.ts'
import { wasRestoredSince } from '../../operators/audit-log.ts'
import { loggedPaymentIds } from '../instruction.ts'
import { belongToEqualPayments, keyEntries, mayBelongTo } from '../match/match-entries.ts'
import { findDebtorAccount, orderContentsOf } from '../parse/stored-order.ts'
import type { AcknowledgedPayment } from '../payment.ts'
import { withBankAccess } from '../status/bank-access.ts'
import { cancelAtBank } from '../status/cancel-at-bank.ts'
import { listSimilarEndToEndIds } from '../store/expired-order-store.ts'
import { withoutSettlingEntries } from '../store/match-store.ts'

/** Throws `ResubmissionError` when the order may be live, or the bank's error when the bank could not be asked. */
export async function ensureNoLiveOrder(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: AcknowledgedPayment,
): Promise<void> {
  // The bank may hold a resubmission that the database has lost, and a user may have signed it.
  if (await wasRestoredSince(context.database, payment.id)) {
    throw new ResubmissionError(
      'expired at the bank, and the database of Havn was restored since it was ordered: the bank may hold it under another id',
    )
  }
  await requireNotBooked(context, caller, bank, payment)
  await cancelExpiredOrder(context, payment)
}

/** Cancels the order in case the bank still holds it; both an accepted cancellation and a missing order are safe. */
async function cancelExpiredOrder(context: Context, payment: AcknowledgedPayment): Promise<void> {
  try {
    const { answer } = await withBankAccess(context, payment, (at) => cancelAtBank(at, payment))
    if (answer === 'accepted' || answer === 'gone') {
      return
    }
  } catch (error) {
    if (!(error instanceof BankError) || isTemporary(error) || endsAccess(error) || isOfKind(error, 'misconfigured')) {
      throw error
    }
    context.log.warn({ paymentId: payment.id, errorKind: error.kind }, 'an expired order could not be cancelled')
  }
  throw new ResubmissionError(
    'expired at the bank, which does not confirm its cancellation; a resubmission could be executed twice',
  )
}

/**
 * An order can have been signed in the online bank and booked before the bank lost it. A matching entry that no other
 * payment accounts for is assumed to be its booking; an entry that names the endToEndId is only accounted for by a payment
 * with the same.
 */
async function requireNotBooked(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: AcknowledgedPayment,
): Promise<void> {
  const entries = keyEntries(await entriesSinceDueDate(context, caller, bank, payment))
  const { countryCode } = payment
  const { bookable } = await orderContentsOf(context, payment)
  const criteria = bookable.map((part) => {
    const bankEndToEndId = endToEndIdFor(part.endToEndId, bank.supports)
    return { ...part, countryCode, bankEndToEndId }
  })
  const criteriaByAmount = Map.groupBy(criteria, ({ amount }) => amount.minor)
  const criteriaOf = ({ amount }: BookedEntry) => criteriaByAmount.get(-amount.minor) ?? []
  const matching = entries.filter((entry) => criteriaOf(entry).some((part) => mayBelongTo(entry, part)))
  const free = await withoutSettlingEntries(context.database, { ...payment, numbers: [payment.debtorBban] }, matching)
  const dueDateStart = payment.dueDate.toZonedDateTime(bank.profile.timeZone).toInstant()
  const similarIds = free.length === 0 ? [] : await listSimilarEndToEndIds(context.database, payment, dueDateStart)
  const equalPaymentIds = similarIds.map((id) => endToEndIdAt(bank, id))
  const equal = { ownId: endToEndIdAt(bank, payment.endToEndId), equalPaymentIds }
  if (!belongToEqualPayments(free, criteriaOf, equal)) {
    throw new ResubmissionError('expired at the bank, but an entry on the account may be its booking')
  }
}

/** Nothing is booked before the due date. Returns no entries when they cannot be read: the cancellation is decisive. */
async function entriesSinceDueDate(
  context: Context,
  { consent, psu }: ConsentCaller,
  bank: Bank,
  payment: AcknowledgedPayment,
): Promise<readonly BookedEntry[]> {
  const today = context.clock.today(bank.profile.timeZone)
  const { accounts } = context.banks.connectorOf(bank)
  const account = await findDebtorAccount(context, consent, payment)
  const isDue = Temporal.PlainDate.compare(payment.dueDate, today) <= 0
  if (!isDue || accounts === undefined || account === undefined) {
    return []
  }
  const read = { bank, consent, kind: 'entries', stableId: account.stableId } as const
  if (psu === null && !(await reserveJobRead(context, read))) {
    return []
  }
  try {
    const days = { from: payment.dueDate, to: today }
    const bankCaller = await bankCallerOf(context, {
      bank,
      consent,
      service: 'AIS',
      psu,
      aboutPayments: loggedPaymentIds([payment]),
    })
    return await accounts.bookedEntries(bankCaller, account.resourceId, days)
  } catch (error) {
    if (error instanceof BankError) {
      context.log.warn({ paymentId: payment.id, errorKind: error.kind }, 'the entries of an account could not be read')
      return []
    }
    throw error
  }
}

/** The message completes the sentence "The payment …". */
export class ResubmissionError extends Error {}
