/** Detects the settlement of payments by entries on the account, for banks whose final status is not settlement. */

import { announceNewEntries, countEntries, type EntriesByDay } from '../../accounts/announce-new-entries.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isTemporary } from '../../banks/connector/bank-error-classification.ts'
import type { AccountProduct } from '../../banks/connector/connector.ts'
import { bankCallerOf } from '../../consents/call-bank.ts'
import type { Consent } from '../../consents/consent.ts'
import { activeConsentOf } from '../../consents/consent-lookup.ts'
import { hasJobReadQuota, reserveJobRead } from '../../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { loggedPaymentIds } from '../instruction.ts'
import { excludePayrollBookings, findDebtorNumbers, matchCriteriaOn } from '../match/match-criteria.ts'
import { type KeyedEntry, keyEntries, matchEntries } from '../match/match-entries.ts'
import { findDebtorAccount } from '../parse/stored-order.ts'
import { isPartnerPayment, type Payment, permits } from '../payment.ts'
import {
  claimEntryRead,
  type DebtorAccountNumbers,
  listPaymentsAwaitingEntry,
  recordEntryRead,
  withoutSettlingEntries,
} from '../store/match-store.ts'
import type { BankAccess } from './bank-access.ts'
import { recordPaymentStatus, retryOnConcurrentUpdate } from './record-payment-status.ts'

/** Banks allow few reads without the user per day and account; all payments of an account share them. */
const READ_EVERY = { hours: 6 }

/** Payments due or signed longer ago are left to operators, whatever closed days were in between. */
const LOOKBACK = { days: 28 }

/** The text for operators on a payment for which neither status nor account shows settlement. */
export const NO_ENTRY_YET =
  'The bank reports the payment as accepted, which is its last status, but no entry on the account matches it yet'

/** Whether the bank reports no further status although the payment is not settled yet. */
export function awaitsEntry({ clock }: Context, { bank }: BankAccess, payment: Payment): boolean {
  const isOver = Temporal.PlainDate.compare(clock.today(bank.profile.timeZone), payment.dueDate) > 0
  return bank.profile.lastVisible === 'accepted' && isOver && payment.status === 'InProgress'
}

/** Reads the account once for all its payments, if the quota and a consent allow it. */
export async function settleByEntries(context: Context, at: BankAccess, payment: Payment): Promise<void> {
  const today = context.clock.today(at.bank.profile.timeZone)
  // An unmatched payment is left to operators after a time: the few reads are for the other payments of the account.
  const isAwaited = isPartnerPayment(payment) && matchCriteriaOn(today, [payment], at.bank).length > 0
  const entryRead = isAwaited ? await entryReadOf(context, at, payment) : undefined
  if (entryRead === undefined || !(await acquireEntryRead(context, at, entryRead))) {
    return
  }
  const { debtor } = entryRead
  const listed = await listPaymentsAwaitingEntry(context.database, debtor, {
    from: today.subtract(LOOKBACK),
    before: today,
  })
  const waiting = matchCriteriaOn(today, listed, at.bank)
  const [from = today] = waiting.map(({ firstDay }) => firstDay).toSorted(Temporal.PlainDate.compare)
  const entries = await readEntries(context, at, { ...entryRead, payment }, { from, to: today })
  const free = await withoutSettlingEntries(context.database, debtor, entries)
  const candidates = await excludePayrollBookings(context.database, debtor, free, waiting)
  for (const match of matchEntries(waiting, candidates)) {
    await settle(context, match)
  }
}

type EntryRead = {
  readonly accounts: AccountProduct
  readonly consent: Consent
  readonly resourceId: string | null
  readonly stableId: string
  readonly debtor: DebtorAccountNumbers
  /** As reads of the account are recorded: of several that share a number, each has its own. */
  readonly account: Pick<Payment, 'partnerId' | 'bic' | 'debtorBban'>
}

async function entryReadOf(context: Context, { bank }: BankAccess, payment: Payment): Promise<EntryRead | undefined> {
  const { accounts } = context.banks.connectorOf(bank)
  const consent = await activeConsentOf(context, payment)
  if (accounts === undefined || consent?.status !== 'ACCEPTED') {
    return undefined
  }
  const found = await findDebtorAccount(context, consent, payment)
  if (found === undefined) {
    return undefined
  }
  const { resourceId, stableId, sharesNumber, currency } = found
  const debtorBban = sharesNumber ? `${payment.debtorBban} ${currency}` : payment.debtorBban
  const debtor = await findDebtorNumbers(context, consent, found)
  return { accounts, consent, resourceId, stableId, debtor, account: { ...payment, debtorBban } }
}

/** The quota is checked first: a claim without a read would block the account for hours. */
async function acquireEntryRead(
  context: Context,
  { bank }: BankAccess,
  { consent, stableId, account }: EntryRead,
): Promise<boolean> {
  const quota = { bank, kind: 'entries', consent, stableId } as const
  const times = { now: context.clock.now(), distance: READ_EVERY }
  return (
    (await hasJobReadQuota(context, quota)) &&
    (await claimEntryRead(context.database, account, times)) &&
    (await reserveJobRead(context, quota))
  )
}

async function readEntries(
  context: Context,
  { bank }: BankAccess,
  { accounts, consent, resourceId, stableId, account, payment }: EntryRead & { readonly payment: Payment },
  days: { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate },
): Promise<readonly KeyedEntry[]> {
  try {
    // The payment may have tokens of its own, which are not for the account.
    const aboutPayments = loggedPaymentIds([payment])
    const caller = await bankCallerOf(context, { bank, consent, service: 'AIS', psu: null, aboutPayments })
    const entries = await accounts.bookedEntries(caller, resourceId, days)
    await recordEntryRead(context.database, account, 'read')
    const entriesByDay: EntriesByDay = new Map()
    countEntries(entriesByDay, entries)
    await announceNewEntries(context, { consent, accountStableId: stableId, days, entriesByDay })
    return keyEntries(entries)
  } catch (error) {
    if (error instanceof BankError) {
      context.log.warn({ consentId: consent.id, errorKind: error.kind }, 'the entries of an account could not be read')
      await reportUnreadableEntries(context, payment, account, error)
      return []
    }
    throw error
  }
}

/** Raises one operator task per account until a read succeeds; temporary failures raise none. */
async function reportUnreadableEntries(
  context: Context,
  payment: Payment,
  account: EntryRead['account'],
  error: BankError,
): Promise<void> {
  if (isTemporary(error)) {
    return
  }
  const text = `The entries of the account, which are the only proof of settlement, could not be read: ${error.message}`
  await inTransaction(context, async (context) => {
    if (await recordEntryRead(context.database, account, 'rejected')) {
      const detail = { bank: payment.bic, errorKind: error.kind, text }
      await raiseTask(context, { ...paymentTask(payment, 'BankCannotBeRead'), detail })
    }
  })
}

/** A status that a concurrent poll changed takes precedence; what it keeps from being settled, the next read settles. */
async function settle(
  context: Context,
  { payment, entry }: { readonly payment: Payment; readonly entry: string },
): Promise<void> {
  const settled = { status: 'Completed', statusReason: null, statusReasonText: null } as const
  await retryOnConcurrentUpdate(context, payment, async (now) => {
    if (now !== undefined && permits(now, 'settle')) {
      const observation = { ...settled, bankStatus: now.bankStatus ?? '' }
      await recordPaymentStatus(context, now, observation, { move: 'settle', entry })
    }
  })
}
