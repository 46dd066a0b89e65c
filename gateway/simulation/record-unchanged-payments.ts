/** Records polls without calling the bank where a sandbox bank reports that the payments are unchanged. */
import type { Bank } from '../banks/connector/bank.ts'
import { activeConsentOf } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { executionDay } from '../orders/parse/execution-day.ts'
import { type AcknowledgedPayment, isAcknowledged, isFinal, type Payment } from '../orders/payment.ts'
import { nextPoll, polling, pollTermsOf } from '../orders/status/poll-schedule.ts'
import { listDuePayments, type UnchangedRead, writeUnchangedReads } from '../orders/store/polled-payment-store.ts'
import { mapYieldingToEventLoop } from '../platform/concurrency.ts'
import { isId } from '../platform/ids.ts'
import { listDuePartitions } from '../platform/jobs/due-row-scan.ts'

/** The last status read of a payment, by the bank's id. */
export type LastStatusRead = {
  readonly paymentId: string
  readonly transactionStatus: string
  readonly readAt: Temporal.Instant
}

/** Returns the ids of the payments whose status at the bank is unchanged. */
export type FindUnchanged = (reads: readonly LastStatusRead[]) => Promise<ReadonlySet<string>>

const PAGE_ROWS = 250
/** While the clocks are moved, the bank's is behind ours: what it dates before a read may have happened after it. */
const CLOCK_TOLERANCE = { seconds: 5 }

/**
 * Records due polls of unchanged payments. All other payments are polled, and so is one payment of each consent, which
 * verifies that the bank is available and accepts the consent.
 */
export async function recordUnchangedPayments(context: Context, findUnchanged: FindUnchanged): Promise<void> {
  for (const bic of await listDuePartitions(context.database, polling, context.clock.now())) {
    const bank = await context.banks.find(bic)
    await (bank && recordAtBank(context, bank, findUnchanged))
  }
}

async function recordAtBank(context: Context, bank: Bank, findUnchanged: FindUnchanged): Promise<void> {
  const { clock, database } = context
  const [now, real] = [clock.now(), clock.real()]
  const liveConsents = new Map<string, boolean>()
  let after: Payment | null = null
  do {
    const page: readonly Payment[] = await listDuePayments(database, {
      bic: bank.bic,
      now,
      real,
      after,
      limit: PAGE_ROWS,
    })
    const candidates: AcknowledgedPayment[] = []
    for (const payment of page.filter((due) => isStatusOnlyRead(due, bank, now))) {
      if (isAcknowledged(payment) && isId(payment.bankPaymentId) && (await hasSample(context, liveConsents, payment))) {
        candidates.push(payment)
      }
    }
    await recordPage(context, bank, { candidates, findUnchanged })
    after = page.length < PAGE_ROWS ? null : (page.at(-1) ?? null)
  } while (after !== null)
}

/**
 * Whether a poll would only record the bank's status. After its due date a payment may be cancelled, matched with
 * entries or reported to operators. The first poll after a signature became known may give the same status another
 * meaning.
 */
function isStatusOnlyRead(payment: Payment, bank: Bank, now: Temporal.Instant): boolean {
  const today = now.toZonedDateTimeISO(bank.profile.timeZone).toPlainDate()
  const isPastDueDate = Temporal.PlainDate.compare(today, payment.dueDate) > 0
  const { signed, signedAt, statusAt } = payment
  const isReadSinceSigned = !signed || (signedAt !== null && Temporal.Instant.compare(statusAt, signedAt) >= 0)
  return isReadSinceSigned && (isFinal(payment) || !(isPastDueDate || payment.cancellationAcceptedAt !== null))
}

/** Whether its consent is active and another payment of it is polled at the bank. */
async function hasSample(context: Context, liveConsents: Map<string, boolean>, payment: Payment): Promise<boolean> {
  const isLive = liveConsents.get(payment.consentId)
  if (isLive === undefined) {
    const consent = await activeConsentOf(context, payment)
    liveConsents.set(payment.consentId, consent?.status === 'ACCEPTED')
    return false
  }
  return isLive
}

async function recordPage(
  { database, clock }: Context,
  bank: Bank,
  {
    candidates,
    findUnchanged,
  }: { readonly candidates: readonly AcknowledgedPayment[]; readonly findUnchanged: FindUnchanged },
): Promise<void> {
  if (candidates.length === 0) {
    return
  }
  const unchanged = await findUnchanged(
    candidates.map(({ bankPaymentId, bankStatus, statusAt }) => ({
      paymentId: bankPaymentId,
      transactionStatus: bankStatus ?? '',
      readAt: statusAt.subtract(CLOCK_TOLERANCE),
    })),
  )
  const [now, real] = [clock.now(), clock.real()]
  const reads = await mapYieldingToEventLoop(
    candidates.filter(({ bankPaymentId }) => unchanged.has(bankPaymentId)),
    (payment): UnchangedRead => ({ payment, nextPollAt: nextPollOf(payment, bank, now) }),
  )
  await writeUnchangedReads(database, reads, { now, real })
}

function nextPollOf(payment: Payment, bank: Bank, now: Temporal.Instant): Temporal.Instant | null {
  const executesOn = payment.signed ? executionDay(payment, bank, now) : undefined
  const polled = { ...payment, pollStep: payment.pollStep + 1, ...(executesOn && { executesOn }) }
  return nextPoll(polled, now, pollTermsOf(bank))
}
