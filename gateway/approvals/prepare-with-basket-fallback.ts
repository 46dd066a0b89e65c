/** Prepares an approval with baskets, or with separate signatures if the bank rejects a basket. */

import type { BankError } from '../banks/connector/bank-error.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import type { Context } from '../context.ts'
import { type AcknowledgedPayment, isPartnerPayment } from '../orders/payment.ts'
import { bankErrorMessage } from '../orders/payroll/bank-error-message.ts'
import { InvalidRequestError } from '../platform/http/errors/api-error.ts'
import type { LeaseOwner } from './approval-lease-store.ts'
import { deleteBasketsOfApproval } from './baskets/delete-basket.ts'
import {
  type BasketTerms,
  CHAINED_STEPS_MAX,
  type PlannedScaStep,
  planScaSteps,
  stepLimitErrors,
} from './plan-sca-steps.ts'
import type { PathOf } from './require-approvable.ts'

type PlannedPayments = {
  readonly payments: readonly AcknowledgedPayment[]
  readonly pathOf: PathOf
  readonly terms: BasketTerms
}

/** Throws 422 at the first payment beyond the limit, or what `prepare` throws; then the baskets are deleted at the bank. */
export async function prepareWithBasketFallback<Prepared>(
  context: Context,
  { partnerId, id: approvalId }: LeaseOwner,
  { payments, pathOf, terms }: PlannedPayments,
  prepare: (steps: readonly PlannedScaStep[]) => Promise<Prepared>,
): Promise<Prepared> {
  const steps = planScaSteps(payments, terms)
  requireWithinLimit(pathOf, steps, terms)
  try {
    return await prepare(steps)
  } catch (error) {
    await deleteBasketsOfApproval(context, { partnerId, approvalId })
    if (!isBankError(error, 'basket-refused')) {
      throw error
    }
    const rejectionText = rejectionTextOf(error, payments)
    context.log.info(
      { approvalId, refusal: rejectionText },
      'the bank rejected the basket; the payments are signed one at a time',
    )
    const alone = planScaSteps(payments, { ...terms, sizeMax: null })
    requireChainable(pathOf, alone, rejectionText)
    return await prepare(alone)
  }
}

/** The bank's text is left out for payrolls, because it may repeat names and amounts. */
function rejectionTextOf(error: BankError, payments: readonly AcknowledgedPayment[]): string {
  return payments.every(isPartnerPayment) ? error.message : bankErrorMessage(error)
}

function requireWithinLimit(pathOf: PathOf, steps: readonly PlannedScaStep[], terms: BasketTerms): void {
  const errors = stepLimitErrors(pathOf, steps, terms)
  if (errors.length > 0) {
    throw new InvalidRequestError(errors)
  }
}

function requireChainable(pathOf: PathOf, steps: readonly PlannedScaStep[], rejectionText: string): void {
  const [limitError] = stepLimitErrors(pathOf, steps, { sizeMax: null })
  if (limitError !== undefined) {
    const reason = `The bank does not sign these payments together (${rejectionText}); at most ${CHAINED_STEPS_MAX} may be approved one at a time`
    throw new InvalidRequestError([{ ...limitError, reason }])
  }
}
