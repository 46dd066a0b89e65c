/** Places the payouts of a payroll one by one behind the answer, as the user whose request it is; no session is stored. */
import { requireBank } from '../banks/directory/require-bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { accountNumbered } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { payrollContents } from '../orders/payroll/payroll-contents.ts'
import {
  type Payout,
  type PlacingOutcome,
  type SinglePlacing,
  singlePlacer,
} from '../payments/payroll-order/place-single.ts'
import { waitingPayouts } from '../payments/payroll-order/placing-progress.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import type { Payroll } from './payroll.ts'
import { placingsOf } from './placings.ts'
import { failPlacing, settlePlacing } from './settle-placing.ts'
import {
  endLease,
  extendLease,
  holdPlacing,
  leasePlacing,
  type PlacingHindrance,
} from './submission/payroll-submission-store.ts'

/** Of one payroll; those of one bank have places together besides. */
const ORDERS_AT_ONCE = 4
/**
 * Extended with every payout, and short: it spares a second process the work, and a user the wait for one that died. Two
 * at once do no harm, because each payout is claimed by itself.
 */
const LEASE_SECONDS = 15

/** Begins to place what has not been placed; whoever is at it goes on. Returns at once. */
export function placeRest(context: Context, caller: ConsentCaller, payroll: Payroll): void {
  if (!goesOneByOne(payroll)) {
    throw new Error(`Payroll ${payroll.id} goes to its bank in one order`)
  }
  placingsOf(context).begin(payroll.id, (stopping) => placePayroll(context, caller, payroll, stopping))
}

/** Whether its bank is told the payouts one by one. */
export function goesOneByOne({ way }: Pick<Payroll, 'way'>): boolean {
  return way === 'baskets' || way === 'chain'
}

/** Places what has not been placed. Leaves off where the bank refuses a payout, or takes none at this moment. */
export async function placePayroll(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, database } = context
  if (!(await leasePlacing(database, payroll, { real: clock.real(), until: leaseEnd(context) }))) {
    return
  }
  await endLease(database, payroll, await placeWaiting(context, caller, payroll, stopping))
  await settlePlacing(context, payroll)
}

function leaseEnd({ clock }: Pick<Context, 'clock'>): Temporal.Instant {
  return clock.real().add({ seconds: LEASE_SECONDS })
}

/** Answers why the rest is left for another time. */
async function placeWaiting(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
  stopping: AbortSignal,
): Promise<PlacingHindrance> {
  const { placing, payouts } = await preparePlacing(context, caller, payroll)
  const [place, placings, queue] = [singlePlacer(context), placingsOf(context), payouts.values()]
  let ended: PlacingOutcome | undefined
  let blockedBy: string | null = null
  const takeTurns = async () => {
    for (const payout of queue) {
      if (stopping.aborted || ended !== undefined) {
        return
      }
      await extendLease(context.database, payroll, leaseEnd(context))
      const outcome = await placings.within(payroll.bic, () => place(placing, payout))
      ended = outcome.how === 'refused' || outcome.how === 'put-off' ? outcome : ended
      blockedBy = outcome.how === 'blocked' ? outcome.payrollId : blockedBy
    }
  }
  const turns = await Promise.allSettled(Array.from({ length: ORDERS_AT_ONCE }, takeTurns))
  const broken = turns.find(({ status }) => status === 'rejected')
  if (broken?.status === 'rejected') {
    throw broken.reason
  }
  return { putOff: ended?.how === 'put-off' ? ended.text : null, blockedBy }
}

async function preparePlacing(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
): Promise<{ placing: SinglePlacing; payouts: readonly Payout[] }> {
  const { partnerId, id: payrollId, bic, debtorBban, transactionCount: count } = payroll
  const bank = await requireBank(context.banks, bic)
  const { domesticPayments: product } = context.banks.connectorOf(bank)
  if (product === undefined) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} takes no single payments here`)
  }
  const key = { partnerId, payrollId }
  const [account, contents, waiting] = await Promise.all([
    accountNumbered(context, caller.consent, debtorBban),
    payrollContents(context, key, { first: 0, count }),
    waitingPayouts(context, key),
  ])
  const payouts = waiting.flatMap((position): readonly Payout[] => {
    const asked = contents.transactions[position]
    return asked === undefined ? [] : [{ position, asked }]
  })
  const placing: SinglePlacing = {
    ...{ caller, bank, product, contents },
    // Who places it is who it is asked about as.
    payroll: { ...payroll, payrollId, consentId: caller.consent.id },
    debtorIban: account?.iban ?? null,
    isOpen: (transaction) => holdPlacing(transaction, payroll),
    noteRefused: async (transaction, text) => {
      await failPlacing({ ...context, database: transaction }, payroll, text)
    },
  }
  return { placing, payouts }
}
