/** Defines the jobs that poll payments at their banks and recover interrupted submissions. */

import type { Bank } from '../banks/connector/bank.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'
import { laterOf } from '../platform/clock.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import { attemptOf, NO_PARTNER_ID, processRow } from '../platform/jobs/process-row.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { abandonExchange } from './exchange/book-deal-for-payment.ts'
import { instructionOf } from './instruction.ts'
import type { Payment } from './payment.ts'
import { pollExpiredOrder } from './status/poll-expired-order.ts'
import { backOffPoll, pollPayment } from './status/poll-payment.ts'
import { polling } from './status/poll-schedule.ts'
import { BANK_REPORTS, processBankReports } from './status/process-bank-reports.ts'
import { acquireReportPollLease, releaseReportPollLease } from './store/bank-report-store.ts'
import { findPayment } from './store/payment-store.ts'
import { findPayroll } from './store/payroll-store.ts'
import { recordUnknownSubmission } from './submit/fail-submission.ts'
import { maintainPayroll } from './submit/maintain-payroll.ts'
import { processPaymentFile } from './submit/send-payment-file.ts'
import { submitPayroll } from './submit/submit-payroll.ts'

/** An overdue order is polled, cancelled and polled again. */
const CALLS_PER_PAYMENT_MAX = 3
/** Seconds that our own statements may add to the bank's time. */
const OWN_SECONDS = 30
/** Backoff of polls while calls to the bank are paused. */
const WHILE_PAUSED = { leastSeconds: 5, mostSeconds: 3600 }

const recovering = { ...polling, name: 'submission recovery', column: 'recover_at', time: 'wall' } as const
/** Expired orders that were resubmitted. */
const expiredOrderPolling = { ...polling, table: 'expired_orders', name: 'expired orders' } as const

/** Returns the due-row scans over payments. */
export function paymentSweeps(context: Context): readonly Sweep[] {
  // Longer than polling a payment at its bank may take.
  const leaseSeconds = CALLS_PER_PAYMENT_MAX * callSecondsMax(context.config) + OWN_SECONDS
  return [
    dueRowSweep(context, { ...polling, leaseSeconds }, stored(context, findPayment, pollDuePayment)),
    dueRowSweep(context, { ...recovering, leaseSeconds }, stored(context, findPayment, recoverSubmission)),
    dueRowSweep(context, { ...expiredOrderPolling, leaseSeconds }, (key) => pollExpiredOrder(context, key)),
  ]
}

/** Processes what a scan found, unless it was deleted meanwhile. */
function stored<Row>(
  context: Context,
  find: (database: Context['database'], key: RowKey) => Promise<Row | undefined>,
  process: (context: Context, row: Row) => Promise<unknown>,
): (key: RowKey) => Promise<void> {
  return async (key) => {
    const row = await find(context.database, key)
    await (row && process(context, row))
  }
}

async function pollDuePayment(context: Context, payment: Payment): Promise<void> {
  // One that could be read so far is read all the same: only its own failure shows that it cannot be read.
  if (payment.unreadSince !== null && (await context.banks.isPaused(payment.bic))) {
    await backOffPoll(context, payment, WHILE_PAUSED)
  } else {
    await pollPayment(context, payment)
  }
}

async function recoverSubmission(context: Context, payment: Payment): Promise<void> {
  const { partnerId, id: paymentId, bankRequestId, exchange } = payment
  const submission = { partnerId, paymentId, instruction: instructionOf(payment), bankRequestId }
  if (exchange === 'booking' || exchange === 'cancelled') {
    await abandonExchange(context, submission, 'the process ended while it booked the exchange', 'recovery')
  } else {
    await recordUnknownSubmission(context, submission, 'the process ended before it recorded the answer of the bank')
  }
}

/** Cancelling a payroll takes some calls per order; when it takes longer than the lease, a second worker joins in. */
const CALLS_PER_RUN = 20
const payrollScan = {
  table: 'payrolls',
  partition: 'bic',
  name: 'payrolls',
  column: 'next_run_at',
  time: 'business',
} as const

export function payrollSweep(context: Context): Sweep {
  const leaseSeconds = CALLS_PER_RUN * callSecondsMax(context.config)
  return dueRowSweep(context, { ...payrollScan, leaseSeconds }, stored(context, findPayroll, maintainPayroll))
}

const submissionScan = { ...payrollScan, name: 'payroll submission', column: 'submit_at' } as const
/** A turn ends with the calls that it has begun. Two workers at once do no harm: each transaction is claimed separately. */
const CALLS_PER_TURN = 3
/** Payrolls of one bank take turns: what a process submits at once leaves capacity of the bank's rate limit for users. */
const SUBMISSION_LIMITS = { perPartition: 2, perPartitionMin: 1, together: 100 }

export function payrollSubmissionSweep(context: Context): ReturnType<typeof dueRowSweep> {
  const leaseSeconds = CALLS_PER_TURN * callSecondsMax(context.config)
  const submitFound = stored(context, findPayroll, submitPayroll)
  return dueRowSweep(context, { ...submissionScan, leaseSeconds }, submitFound, SUBMISSION_LIMITS)
}

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
          next = laterOf(retryAt, next)
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
  const call = { bank: bic, operation: 'readStatusReport' }
  try {
    const processed = await poll()
    await banks.recordCall({ ...call, outcome: 'answered' })
    return processed
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    await banks.recordCall({ ...call, outcome: 'failed' })
    log.warn({ bic, errorKind: error.kind }, 'polling the reports of a bank failed; it is retried')
    return 0
  }
}
