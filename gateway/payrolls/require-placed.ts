/** Makes sure, before a payroll is signed, that its bank holds every payout; what is missing is placed meanwhile. */
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { invalid, refuse } from '../foundation/http/refusal.ts'
import { lostUnsigned, type PlacingCounts } from '../payments/payroll-order/placing-progress.ts'
import type { Payroll } from './payroll.ts'
import { findPayroll } from './payroll-store.ts'
import { goesOneByOne, placeRest } from './place-payroll.ts'
import { findBlocker } from './placing-store.ts'
import { settlePlacing } from './settle-placing.ts'

/** About as many as a bank takes in a second from one payroll. */
const PAYOUTS_A_SECOND = 5
const RETRY_SECONDS = { least: 1, most: 30 }

/**
 * Throws 503 with `Retry-After` while payouts are on their way, whereby a placing whose process died is taken up as this
 * user; `conflict` while it is not known whether the bank took one; 422 at `path` for a payroll that has failed. The
 * caller has been found to be of the payroll's bank and company.
 */
export async function requirePlaced(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
  path: string,
): Promise<void> {
  if (payroll.state === 'placed') {
    await requireNoneLost(context, payroll, path)
    return
  }
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
  if (counts.waiting > 0 && goesOneByOne(payroll)) {
    placeRest(context, caller, payroll)
  }
  throw blockedBy === null ? notPlaced(payroll, counts, stateText) : blocked(blockedBy)
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

function notPlaced({ id: payrollId }: Payroll, counts: PlacingCounts, putOff: string | null): Error {
  const { placed, count, unknown, waiting, asked } = counts
  if (unknown > 0 && waiting === 0 && asked === 0) {
    const message =
      'The bank was asked to take a payout of the payroll and its answer is not known; it can be signed once that is settled'
    return refuse('conflict', message, { payrollId })
  }
  const seconds = Math.ceil((count - placed) / PAYOUTS_A_SECOND)
  const retryAfterSeconds = Math.min(Math.max(seconds, RETRY_SECONDS.least), RETRY_SECONDS.most)
  const why = putOff === null ? '' : ` The last attempt ended early: ${putOff}.`
  const message = `The bank holds ${placed} of the ${count} payouts of the payroll; ask again once it holds all.${why}`
  return refuse('unavailable', message, { payrollId, retryAfterSeconds })
}
