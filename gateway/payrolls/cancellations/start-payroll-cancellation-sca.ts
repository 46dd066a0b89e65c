/** Starts the SCA session for the cancellation of a payroll, with one step for each order. */

import { type ScaSessionRequest, startScaSession } from '../../authorisations/start-sca-session.ts'
import { cancellationScaRequest } from '../../cancellations/cancellation-sca-request.ts'
import { cancellationScaSubject } from '../../cancellations/cancellation-sca-subject.ts'
import { changeCancellationStatus } from '../../cancellations/cancellation-store.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { payrollSummaries } from '../approvals/payroll-summary.ts'
import type { OrderCancellation, PayrollCancellation } from './payroll-cancellation.ts'
import type { RequestedPayrollCancellation } from './requested-payroll-cancellation.ts'

/** Sets the parts to `AUTHORIZATION_REQUIRED`; their orders must be leased. Throws what `startScaSession` throws. */
export async function startPayrollCancellationSca(
  context: Context,
  requested: RequestedPayrollCancellation,
  payrollCancellation: PayrollCancellation,
  parts: readonly OrderCancellation[],
): Promise<void> {
  const request = await scaSessionRequestOf(context, requested, payrollCancellation, parts)
  const next = { status: 'AUTHORIZATION_REQUIRED', reason: null } as const
  await startScaSession(context, cancellationScaSubject, request, async (transaction) => {
    for (const { part } of parts) {
      if (!(await changeCancellationStatus({ query: transaction }, part, next, context.clock.now()))) {
        throw apiError('conflict', 'Another user is cancelling the payroll. Try again in a moment')
      }
    }
    return true
  })
}

/** Embedded and decoupled SCA take place on our page behind the link, whatever was preferred. */
async function scaSessionRequestOf(
  context: Context,
  requested: RequestedPayrollCancellation,
  payrollCancellation: PayrollCancellation,
  parts: readonly OrderCancellation[],
): Promise<ScaSessionRequest> {
  const steps = await Promise.all(
    parts.map(async ({ order }) => ({
      targetType: 'cancellation' as const,
      targetId: order.id,
      shown: await payrollSummaries(context, [requested.payroll], [order]),
    })),
  )
  return cancellationScaRequest(context, requested, payrollCancellation, {
    codeForPartner: false,
    isSummarySealed: true,
    steps,
  })
}
