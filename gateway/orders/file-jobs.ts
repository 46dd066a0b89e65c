/** Schedules the sending of payment files and the polling of bank reports. */
import { BankError } from '../banks/connector/bank-error.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import { attemptOf, NO_PARTNER_ID, processRow } from '../platform/jobs/process-row.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { BANK_REPORTS, processBankReports } from './status/process-bank-reports.ts'
import { acquireReportPollLease, releaseReportPollLease } from './store/bank-report-store.ts'
import { processPaymentFile } from './submit/send-payment-file.ts'

/** Longer than uploading ten thousand transactions over a slow connection. */
const LEASE_SECONDS = 600
const paymentFileScan = {
  table: 'payment_files',
  partition: 'bic',
  name: 'payment files',
  column: 'due_at',
  time: 'business',
} as const

/** Shorter than any bank's poll interval. */
const REPORTS_EVERY_MILLISECONDS = 1_000

export function fileSweeps(context: Context): readonly Sweep[] {
  return [
    dueRowSweep(context, { ...paymentFileScan, leaseSeconds: LEASE_SECONDS }, (key) =>
      processPaymentFile(context, key),
    ),
    {
      name: BANK_REPORTS,
      time: 'wall',
      everyMilliseconds: REPORTS_EVERY_MILLISECONDS,
      nextDue: async () => null,
      run: reportPollerOf(context),
    },
  ]
}

/** Longer than a poll can take; after a crash, polling resumes when it expires. */
const POLL_LEASE = { seconds: 900 }

/** Each bank is polled by one process at a time, at the interval of its profile; one that fails delays no other. */
function reportPollerOf(context: Context): () => Promise<number> {
  const nextByBic = new Map<string, Temporal.Instant>()
  return async () => {
    const now = context.clock.real()
    let processed = 0
    for (const bank of await context.banks.all()) {
      if (Temporal.Instant.compare(nextByBic.get(bank.bic) ?? now, now) <= 0) {
        const polled = await pollBank(context, bank, now)
        nextByBic.set(bank.bic, polled.next)
        processed += polled.processed
      }
    }
    return processed
  }
}

/** How many reports were processed, and when the bank is to be polled next. */
async function pollBank(
  context: Context,
  bank: Bank,
  now: Temporal.Instant,
): Promise<{ readonly processed: number; readonly next: Temporal.Instant }> {
  const { database } = context
  const product = context.banks.connectorOf(bank).files
  let [processed, next] = [0, now.add({ seconds: bank.profile.pollSecondsMin })]
  if (product !== undefined && (await acquireReportPollLease(database, bank.bic, { now, next: now.add(POLL_LEASE) }))) {
    try {
      await processRow(
        context,
        await attemptOf(context, { sweep: BANK_REPORTS, partnerId: NO_PARTNER_ID, rowId: bank.bic }),
        async () => {
          processed = await pollRecordingCall(context, bank.bic, () => processBankReports(context, bank, product))
        },
        async (delay) => {
          const retryAt = now.add(delay)
          next = Temporal.Instant.compare(retryAt, next) > 0 ? retryAt : next
        },
      )
    } finally {
      await releaseReportPollLease(database, bank.bic, next)
    }
  }
  return { processed, next }
}

/** Records the availability of the bank; an unreachable bank does not affect the polling of others. */
async function pollRecordingCall({ banks, log }: Context, bic: string, poll: () => Promise<number>): Promise<number> {
  try {
    const processed = await poll()
    await banks.recordCall(bic, 'answered', 'others')
    return processed
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    await banks.recordCall(bic, 'failed', 'others')
    log.warn({ bic, errorKind: error.kind }, 'polling the reports of a bank failed; it is retried')
    return 0
  }
}
