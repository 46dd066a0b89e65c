/** Shows a cancellation of a payroll to the partner that asked for it. */
import type { CancellationRequestStatus } from '../../../contract/cancellations.ts'
import type { PayrollCancellation as PayrollCancellationShown } from '../../../contract/payrolls/payroll-approval-operations.ts'
import type { Sca } from '../../../contract/sca.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { findWhole } from '../../payrolls/cancellations/payroll-cancellation-store.ts'
import { payrollOf } from '../../payrolls/require-payroll.ts'
import { outcomeUnknown, refuse } from '../../platform/http/errors/api-error.ts'
import { latestSigning } from '../../signing/find-signing.ts'
import { scaOf } from '../../signing/present-code.ts'
import { settleIfStale } from '../../signing/settle-signing.ts'
import { cancellationSigning } from '../cancellation-signing.ts'
import { listPartsOf } from '../cancellation-store.ts'
import { type PayrollCancellation, reasonOfWhole, statusOfWhole } from './payroll-cancellation.ts'

/** A cancellation, and how its user signs it for as long as that is open. */
export type StandingWhole = { readonly whole: PayrollCancellation; readonly sca?: Sca | undefined }

const ASK_AGAIN_SECONDS = 10

/** One cancellation; while its user may be at the bank, the bank is asked first, once a second at most. */
export async function showPayrollCancellation(
  context: Context,
  { partnerId }: ConsentCaller,
  id: string,
): Promise<PayrollCancellationShown> {
  const whole = await findPayrollCancellation(context, { partnerId, id: id.toLowerCase() })
  return await shownPayrollCancellation(context, await standingOfWhole(context, whole))
}

/** One with its parts. Throws 404. */
export async function findPayrollCancellation(
  { database }: Pick<Context, 'database'>,
  key: Pick<PayrollCancellation, 'partnerId' | 'id'>,
): Promise<PayrollCancellation> {
  const whole = await findWhole(database, key)
  if (whole === undefined) {
    throw refuse('not-found', 'There is no cancellation with this id')
  }
  return { ...whole, parts: await listPartsOf(database, key) }
}

/** The cancellation as it stands now, with what its user needs to sign it. */
export async function standingOfWhole(context: Context, whole: PayrollCancellation): Promise<StandingWhole> {
  const { partnerId, id: subjectId } = whole
  const signing = await latestSigning(context, { partnerId, kind: 'cancellation', subjectId })
  if (signing === undefined || !whole.parts.some(({ status }) => status === 'AUTHORIZATION_REQUIRED')) {
    return { whole }
  }
  const standing = await settleIfStale(context, cancellationSigning(), signing)
  const kept = await findPayrollCancellation(context, whole)
  return {
    whole: kept,
    ...(standing.at === 'end' ? {} : await scaOf(context, cancellationSigning(), signing)),
  }
}

/** As partners see it. Throws 503 while what the bank says is not known of all of it. */
export async function shownPayrollCancellation(
  context: Context,
  { whole, sca }: StandingWhole,
): Promise<PayrollCancellationShown> {
  const { id, partnerId, payrollId } = whole
  const status = requireWholeAnswered(whole)
  const payroll = await payrollOf(context, partnerId, payrollId)
  return {
    id,
    ...(sca?.type === 'redirect' ? { sca } : {}),
    cancellationRequestStatus: status,
    currentPayrollStatus: payroll.status,
    reason: reasonOfWhole(whole),
  }
}

/** What partners see of its status. Throws 503 while what the bank says is not known of all of it. */
export function requireWholeAnswered(whole: PayrollCancellation): CancellationRequestStatus {
  const { payrollId, parts } = whole
  const status = statusOfWhole(whole)
  if (status === 'ASKED') {
    const answered = parts.filter((part) => part.status !== 'ASKED').length
    const detail =
      `it has said of ${answered} of ${parts.length} orders of the payroll whether it cancels them. Ask again in a ` +
      'moment; nothing is cancelled twice'
    throw outcomeUnknown({ payrollId }, detail, ASK_AGAIN_SECONDS)
  }
  return status
}
