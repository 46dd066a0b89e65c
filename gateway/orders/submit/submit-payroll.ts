/** Submits the transactions of a payroll one by one, a few at once and in turns, as a job of the worker. */

import { requireBank } from '../../banks/directory/bank-directory.ts'
import { requirePaymentsAllowed } from '../../companies/require-company.ts'
import { findAccountByBban } from '../../consents/accounts/find-account.ts'
import { isInForce } from '../../consents/consent.ts'
import { activeConsentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { mapWithConcurrency } from '../../platform/concurrency.ts'
import { ApiError } from '../../platform/http/errors/api-error.ts'
import { nextAttemptAt } from '../../platform/jobs/retry-backoff.ts'
import { parseDebtor } from '../parse/domestic-payment-parts.ts'
import type { Payroll } from '../payroll.ts'
import { TRANSACTIONS_PER_CHUNK } from '../payroll-order.ts'
import { listUnsubmittedPositions } from '../store/payroll-progress-store.ts'
import { readPayrollContents } from '../store/payroll-store.ts'
import { recordSubmissionTurn, type SubmissionTurnResult } from '../store/payroll-submission-store.ts'
import { endOfDueDay, isPayrollHeld, OVERDUE, updateSubmissionState } from './maintain-payroll.ts'
import {
  type SubmissionObstacle,
  type SubmittablePayroll,
  submitPayrollTransaction,
  type TransactionSubmissionOutcome,
} from './submit-payroll-transaction.ts'

/** Per payroll; the sweep limits the payrolls of a bank. */
const ORDERS_AT_ONCE = 4
/** Short, so that payrolls of one bank take turns and a worker that is stopped ends soon. */
const TURN = { seconds: 3 }
/** A bank that is down, or a consent that has ended, is tried again; a request for the approval does so at once. */
const RETRY_DELAY = { leastSeconds: 10, mostSeconds: 3600 }

/** Takes a turn at the submission of a payroll. */
export async function submitPayroll(context: Context, payroll: Payroll): Promise<void> {
  const { state } = payroll
  if (state === 'submitting') {
    const result = await runTurn(context, payroll)
    // The payroll stays due until its state is recorded: a crash in between leaves that to the next worker.
    await updateSubmissionState(context, payroll)
    await recordSubmissionTurn(context.database, payroll, result)
  }
}

/** What a turn has achieved so far. */
type TurnProgress = {
  handled: number
  isRejected: boolean
  obstacle: SubmissionObstacle | undefined
  blockedBy: string | null
}

/** Submits the remaining transactions until the turn is over, or something prevents it. */
async function runTurn(context: Context, payroll: Payroll): Promise<SubmissionTurnResult> {
  const { partnerId, id: payrollId } = payroll
  const progress: TurnProgress = { handled: 0, isRejected: false, obstacle: undefined, blockedBy: null }
  const prepared = await requireSubmittable(context, payroll).catch((error: unknown): SubmissionObstacle => {
    if (error instanceof ApiError) {
      return { text: error.message, needs: 'time' }
    }
    throw error
  })
  if ('needs' in prepared) {
    return resultOf(context, payroll, { ...progress, obstacle: prepared })
  }
  const endsAt = context.clock.real().add(TURN)
  const isTimeUp = () => Temporal.Instant.compare(context.clock.real(), endsAt) >= 0
  const isOver = () => progress.isRejected || progress.obstacle !== undefined || (progress.handled > 0 && isTimeUp())
  const unsubmitted = await listUnsubmittedPositions(context.database, { partnerId, payrollId })
  // Those that are sealed together, so that no more is decrypted at once.
  const chunks = Map.groupBy(unsubmitted, (position) => Math.floor(position / TRANSACTIONS_PER_CHUNK))
  for (const positions of chunks.values()) {
    if (isOver()) {
      break
    }
    const first = Math.min(...positions)
    const range = { first, count: Math.max(...positions) - first + 1 }
    const contents = await readPayrollContents(context, { partnerId, payrollId }, range)
    const debtor = parseDebtor(prepared.bank.countryCode, contents.from.account.bban)
    await mapWithConcurrency(positions, ORDERS_AT_ONCE, async (position) => {
      const request = contents.transactions[position - first]
      if (request !== undefined && !isOver()) {
        const parameters = { ...prepared, contents, debtor }
        recordOutcome(progress, await submitPayrollTransaction(context, parameters, { position, request }))
      }
    })
  }
  return resultOf(context, payroll, progress)
}

/** A blocked transaction stays in the queue, so that a turn full of them must not end before the others are tried. */
function recordOutcome(progress: TurnProgress, result: TransactionSubmissionOutcome): void {
  switch (result.outcome) {
    case 'blocked':
      progress.blockedBy = result.payrollId
      break
    case 'deferred':
      progress.obstacle = result.obstacle
      break
    case 'rejected':
      // The payroll is failing now: no further transaction is open.
      progress.handled += 1
      progress.isRejected = true
      break
    case 'unknown':
      progress.handled += 1
      progress.obstacle = result.obstacle ?? progress.obstacle
      break
    case 'submitted':
    case 'skipped':
      progress.handled += 1
  }
}

function resultOf(
  { clock }: Context,
  { submissionFailedSince }: Payroll,
  { handled, obstacle, blockedBy }: TurnProgress,
): SubmissionTurnResult {
  const now = clock.now()
  const isStopped = obstacle !== undefined || blockedBy !== null
  const failedSince = handled > 0 ? now : (submissionFailedSince ?? now)
  const retryAt = isStopped ? nextAttemptAt(failedSince, now, RETRY_DELAY, obstacle?.retryAfterSeconds) : now
  return {
    submitAt: obstacle?.needs === 'user' ? null : retryAt,
    failedSince: isStopped ? failedSince : null,
    text: obstacle?.text ?? null,
    needsUser: obstacle !== undefined && obstacle.needs !== 'time',
    blockedBy,
  }
}

/**
 * Uses the recorded consent, or the one by which its user has renewed it. The user is away: the PSU headers of the
 * request are not stored, and nothing is sent in their place. Throws `ApiError` if the bank or the company is not served at
 * present, which is an obstacle, too.
 */
async function requireSubmittable(
  context: Context,
  payroll: Payroll,
): Promise<SubmittablePayroll | SubmissionObstacle> {
  const { partnerId, id: payrollId, bic, debtorBban, currency, submissionConsentId } = payroll
  // Another sweep makes the payroll fail; after a pause of the workers, both are due.
  const dueDayEnd = await endOfDueDay(context, payroll)
  if (Temporal.Instant.compare(context.clock.now(), dueDayEnd) >= 0) {
    return { text: OVERDUE, needs: 'time' }
  }
  const isHeld = await isPayrollHeld(context, { partnerId, payrollId })
  if (isHeld) {
    return {
      text: 'Held after a restore of the database until operators have compared it with the bank',
      needs: 'time',
    }
  }
  const bank = await requireBank(context.banks, bic)
  const { domesticPayments: product } = context.banks.connectorOf(bank)
  if (product === undefined) {
    return { text: `${bank.name} does not accept single payments here`, needs: 'time' }
  }
  const consent = await activeConsentOf(context, { partnerId, consentId: submissionConsentId })
  if (consent === undefined || !isInForce(consent, context.clock.now())) {
    return { text: 'The consent under which it is submitted is no longer in force', needs: 'consent' }
  }
  // The company's service may have ended since the payroll was ordered.
  await requirePaymentsAllowed(context, payroll)
  const listed = await findAccountByBban(context, consent, { bban: debtorBban, currency })
  return {
    ...{ bank, product },
    caller: { consent, psu: null },
    payroll: { ...payroll, submissionConsentId: consent.id },
    listed,
  }
}
