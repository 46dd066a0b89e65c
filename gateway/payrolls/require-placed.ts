/** Makes sure, before a payroll is signed, that its bank holds every payout; what is missing is placed meanwhile. */
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { invalid, refuse } from '../foundation/http/refusal.ts'
import type { PlacingCounts } from '../payments/payroll-order/placing-progress.ts'
import type { Payroll } from './payroll.ts'
import { findPayroll } from './payroll-store.ts'
import { goesOneByOne, placeRest } from './place-payroll.ts'
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
    return
  }
  const counts = await settlePlacing(context, payroll)
  const { state, stateText } = (await findPayroll(context.database, payroll)) ?? payroll
  if (state === 'failing' || state === 'failed') {
    throw invalid(path, `cannot be signed, and what its bank holds of it is withdrawn. ${stateText ?? ''}`.trim())
  }
  if (state === 'placed') {
    return
  }
  if (counts.waiting > 0 && goesOneByOne(payroll)) {
    placeRest(context, caller, payroll)
  }
  throw notPlaced(payroll, counts, stateText)
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
