/** Makes sure, before a payroll is signed, that its bank holds every payout; what is missing is placed meanwhile. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { lostUnsigned, type PlacingCounts } from '../payments/payroll-order/placing-progress.ts'
import { wallMilliseconds } from '../platform/clock.ts'
import { invalid, refuse } from '../platform/http/errors/api-error.ts'
import type { Payroll } from './payroll.ts'
import { findPayroll } from './payroll-store.ts'
import { goesOneByOne, placeRest } from './place-payroll.ts'
import { settlePlacing } from './settle-placing.ts'
import { findBlocker } from './submission/payroll-submission-store.ts'

/** About as many as a bank takes in a second from one payroll. */
const PAYOUTS_A_SECOND = 5
const RETRY_SECONDS = { least: 1, most: 30 }
/** A user waits at the screen for so long; whoever has ordered more asks again. */
const SUBMITTED_WITHIN_MILLISECONDS = 20_000
const LOOK_EVERY_MILLISECONDS = 250
/** Another process may have died over the rest. */
const RESUME_EVERY_MILLISECONDS = 5_000

/** Where in the request the payroll was asked for, and until when, in wall time, the bank is waited for. */
export type PlacedBy = { readonly path: string; readonly waitUntil: number }

/** Until when one request waits for banks to be told its payrolls. */
export function submittedBy(): number {
  return wallMilliseconds() + SUBMITTED_WITHIN_MILLISECONDS
}

/**
 * Waits for payouts that are on their way, whereby a placing whose process died is taken up as this user; throws
 * `AUTHENTICATION_TEMPORARY_UNAVAILABLE` with `Retry-After` when that takes longer, `conflict` while it is not known
 * whether the bank took one, 422 at the path for a payroll that has failed. The caller has been found to be of the
 * payroll's bank and company.
 */
export async function requirePlaced(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
  { path, waitUntil }: PlacedBy,
): Promise<void> {
  if (payroll.state === 'placed') {
    await requireNoneLost(context, payroll, path)
    return
  }
  let resumeAt = 0
  for (;;) {
    const counts = await settlePlacing(context, payroll)
    const { state, stateText } = (await findPayroll(context.database, payroll)) ?? payroll
    if (state === 'failing' || state === 'failed') {
      const what = state === 'failing' ? ', and what its bank holds of it is withdrawn' : ': it has failed'
      throw invalid(path, `cannot be signed${what}. ${stateText ?? ''}`.trim())
    }
    if (state === 'placed') {
      return
    }
    const blockedBy = counts.waiting > 0 && counts.asked === 0 ? await findBlocker(context.database, payroll) : null
    const now = wallMilliseconds()
    if (counts.waiting > 0 && goesOneByOne(payroll) && now >= resumeAt) {
      placeRest(context, caller, payroll)
      resumeAt = now + RESUME_EVERY_MILLISECONDS
    }
    requireSettled(payroll, counts, blockedBy)
    if (now >= waitUntil) {
      throw notPlaced(payroll, counts, stateText)
    }
    await pause(LOOK_EVERY_MILLISECONDS)
  }
}

/** Waiting does not help where an outcome at the bank is not known. */
function requireSettled({ id: payrollId }: Payroll, counts: PlacingCounts, blockedBy: string | null): void {
  if (blockedBy !== null) {
    throw blocked(blockedBy)
  }
  const { unknown, waiting, asked } = counts
  if (unknown > 0 && waiting === 0 && asked === 0) {
    const message =
      'The bank was asked to take a payout of the payroll and its answer is not known; it can be signed once that is settled'
    throw refuse('conflict', message, { payrollId })
  }
}

/** A user who is asked to sign all of it would sign a part: nobody has told them which. */
async function requireNoneLost(context: Context, payroll: Payroll, path: string): Promise<void> {
  const { partnerId, id: payrollId, transactionCount: count } = payroll
  const lost = await lostUnsigned(context, { partnerId, payrollId })
  if (lost > 0) {
    const ended = `${lost} of its ${count} payouts ended at the bank before anybody signed`
    throw invalid(path, `cannot be signed: ${ended}. Cancel it, and order anew what is to be paid`)
  }
}

function blocked(payrollId: string): Error {
  const message =
    'Another payroll has a payout that is equal to one of this payroll, and whether the bank took that one is not known; ' +
    'the rest goes to the bank once that is settled. Follow the payroll named here'
  return refuse('conflict', message, { payrollId })
}

function notPlaced({ id }: Payroll, { placed, count }: PlacingCounts, putOff: string | null): Error {
  const seconds = Math.ceil((count - placed) / PAYOUTS_A_SECOND)
  const retryAfterSeconds = Math.min(Math.max(seconds, RETRY_SECONDS.least), RETRY_SECONDS.most)
  const why = putOff === null ? '' : ` The last attempt ended early: ${putOff}.`
  const message = `The bank holds ${placed} of the ${count} payouts of payroll ${id}; ask again once it holds all.${why}`
  return refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message, { retryAfterSeconds })
}
