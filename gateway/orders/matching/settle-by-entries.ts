/** Looks for settlement on the account where a bank's statuses end before it. */
import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { AccountProduct } from '../../banks/connector/connector.ts'
import type { Consent } from '../../consents/consent.ts'
import { accountNumbered } from '../../consents/find-account.ts'
import { liveConsentOf } from '../../consents/find-consent.ts'
import { isLeftToJobs, mayReadByJob } from '../../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../../context.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import { type KeyedEntry, keyEntries, matchEntries } from '../../payments/match-entries.ts'
import { soughtOn } from '../../payments/sought-payment.ts'
import type { PaymentAtBank } from '../../payments/withdraw-unsigned.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { isPartners, type Payment, permits } from '../payment.ts'
import { findPayment } from '../payment-store.ts'
import { Overtaken, recordStatus } from '../status/record-payment-status.ts'
import { claimEntryRead, freeOf, listAwaitingEntry, noteEntryRead } from './entry-settlement-store.ts'
import { besideSalaries } from './exclude-payroll-bookings.ts'

/** Banks allow few reads a day and account without the user; all payments of an account share them, and leave some. */
const READ_EVERY = { hours: 6 }

/** Payments due or signed longer ago than this have been left to people, whatever closing days lay in between. */
const LOOKED_BACK = { days: 28 }

/** A payment is read this often at the same moment, at most; later ones are settled by the next reading. */
const ATTEMPTS_MAX = 5

/** What is told of a payment whose bank shows no more. */
export const NO_ENTRY_YET =
  'The bank has accepted the payment and shows no more than that; it has not been seen on the account yet'

/** Whether a payment's bank has said its last word while the money may be on its way. */
export function awaitsEntry({ clock }: Pick<Context, 'clock'>, { bank }: PaymentAtBank, payment: Payment): boolean {
  const isOver = Temporal.PlainDate.compare(clock.today(bank.profile.timeZone), payment.dueDate) > 0
  return bank.profile.lastVisible === 'accepted' && isOver && payment.status === 'InProgress'
}

/** Reads the account once for all its payments, when a reading is free and a consent allows it. */
export async function settleByEntries(context: Context, at: PaymentAtBank, payment: Payment): Promise<void> {
  const today = context.clock.today(at.bank.profile.timeZone)
  // One that was not found in time is left to people: its account's few reads are for the others.
  const isSought = isPartners(payment) && soughtOn(today, [payment], at.bank).length > 0
  const reading = isSought ? await readingOf(context, at, payment) : undefined
  if (reading === undefined || !(await isFree(context, at, payment, reading))) {
    return
  }
  const listed = await listAwaitingEntry(context.database, payment, {
    from: today.subtract(LOOKED_BACK),
    before: today,
  })
  const waiting = soughtOn(today, listed, at.bank)
  const [from = today] = waiting.map(({ firstDay }) => firstDay).toSorted(Temporal.PlainDate.compare)
  const entries = await readEntries(context, at, { ...reading, payment }, { from, to: today })
  const free = await freeOf(context.database, payment, entries)
  const account = { ...payment, numbers: [payment.debtorBban] }
  const told = await besideSalaries(context.database, account, free, waiting)
  for (const match of matchEntries(waiting, told)) {
    await settle(context, match)
  }
}

type Reading = {
  readonly accounts: AccountProduct
  readonly consent: Consent
  readonly resourceId: string
  readonly stableId: string
}

async function readingOf(context: Context, { bank }: PaymentAtBank, payment: Payment): Promise<Reading | undefined> {
  const { accounts } = context.banks.connectorOf(bank)
  const consent = await liveConsentOf(context, payment)
  if (accounts === undefined || consent?.status !== 'ACCEPTED') {
    return undefined
  }
  const account = await accountNumbered(context, consent, payment.debtorBban)
  return account && { accounts, consent, resourceId: account.resourceId, stableId: account.stableId }
}

/** Whether there is one is asked first: a claim that comes to nothing would keep the others away for hours. */
async function isFree(context: Context, { bank }: PaymentAtBank, payment: Payment, reading: Reading): Promise<boolean> {
  const read = { bank, kind: 'entries', consent: reading.consent, stableId: reading.stableId } as const
  const times = { now: context.clock.now(), distance: READ_EVERY }
  return (
    (await isLeftToJobs(context, read)) &&
    (await claimEntryRead(context.database, payment, times)) &&
    (await mayReadByJob(context, read))
  )
}

async function readEntries(
  context: Context,
  { caller }: PaymentAtBank,
  { accounts, consent, resourceId, payment }: Reading & { readonly payment: Payment },
  days: { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate },
): Promise<readonly KeyedEntry[]> {
  try {
    const entries = await accounts.bookedEntries(caller, resourceId, days)
    await noteEntryRead(context.database, payment, 'read')
    return keyEntries(entries)
  } catch (error) {
    if (error instanceof BankRefusal) {
      context.log.warn({ consentId: consent.id, refusal: error.kind }, 'the entries of an account could not be read')
      await tellRefused(context, payment, error)
      return []
    }
    throw error
  }
}

/** People are told once of an account until it could be read again; a bank that is away for a while is no matter of theirs. */
async function tellRefused(context: Context, payment: Payment, refusal: BankRefusal): Promise<void> {
  if (refusal.kind === 'unavailable' || refusal.kind === 'too-many-reads') {
    return
  }
  const { partnerId, id: subjectId, bic: bank } = payment
  const text = `The entries of the account, which alone show settlement: ${refusal.message}`
  await atomically(context.database, async (database) => {
    if (await noteEntryRead(database, payment, 'refused')) {
      const detail = { bank, refusal: refusal.kind, text }
      const subject = { partnerId, kind: 'BankCannotBeRead', subjectType: 'payment', subjectId } as const
      await raiseTask({ ...context, database }, { ...subject, detail })
    }
  })
}

/** Readings that come in between are waited for; one that changed the status has the last word. */
async function settle(
  context: Context,
  { payment, entry }: { readonly payment: Payment; readonly entry: string },
): Promise<void> {
  const word = { status: 'Completed', statusReason: null, statusReasonText: null } as const
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const now = await findPayment(context.database, payment)
    if (now === undefined || !permits(now, 'settle')) {
      return
    }
    try {
      await recordStatus(context, now, { ...word, bankStatus: now.bankStatus ?? '' }, { move: 'settle', entry })
      return
    } catch (error) {
      if (!(error instanceof Overtaken)) {
        throw error
      }
    }
  }
}
