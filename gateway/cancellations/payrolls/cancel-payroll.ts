/** Cancels a payroll as far as its bank lets go of it. */
import type {
  PayrollCancellationAsked,
  PayrollCancellation as PayrollCancellationShown,
} from '../../../contract/payrolls/payroll-approval-operations.ts'
import { bankOf } from '../../accounts/require-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { findOpenWhole } from '../../payrolls/cancellations/payroll-cancellation-store.ts'
import type { PayrollWish } from '../../payrolls/cancellations/requested-payroll-cancellation.ts'
import { requireCancellablePayroll } from '../../payrolls/cancellations/require-cancellable-payroll.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { askForWhole } from './ask-for-whole.ts'
import { joinWhole } from './join-whole.ts'
import { keepWhole } from './keep-whole.ts'
import { findPayrollCancellation, shownPayrollCancellation, standingOfWhole } from './show-payroll-cancellation.ts'

/** Whoever comes while one ends begins another; nobody is overtaken more often than this. */
const ATTEMPTS_MAX = 3

/**
 * Acts for the user of the caller's own consent, who need not have ordered the payroll. While the payroll is being
 * cancelled, the same cancellation is answered. Throws 503 when what the bank says is not known of all of it.
 */
export async function cancelPayroll(
  context: Context,
  caller: ConsentCaller,
  asked: PayrollCancellationAsked,
): Promise<PayrollCancellationShown> {
  const bank = await bankOf(context, caller)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const cancellable = await requireCancellablePayroll(context, caller, asked.payrollId)
    const wish = { caller, bank, asked, ...cancellable }
    const id = await begunOrJoined(context, wish)
    if (id !== undefined) {
      const kept = await findPayrollCancellation(context, { partnerId: caller.partnerId, id })
      return await shownPayrollCancellation(context, await standingOfWhole(context, kept))
    }
  }
  throw refuse('conflict', 'The payroll is being cancelled by somebody else; ask again in a moment')
}

/** The id of the cancellation; undefined when another ended, or began, at the same moment. */
async function begunOrJoined(context: Context, wish: PayrollWish): Promise<string | undefined> {
  const { partnerId, id: payrollId } = wish.payroll
  const open = await findOpenWhole(context.database, { partnerId, payrollId })
  if (open !== undefined) {
    return await joinWhole(context, wish, await findPayrollCancellation(context, open))
  }
  const whole = await keepWhole(context, wish)
  if (whole === undefined) {
    return undefined
  }
  await askForWhole(context, wish, whole, { isRepeated: false })
  return whole.id
}
