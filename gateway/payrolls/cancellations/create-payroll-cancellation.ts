/** Stores the cancellation of a payroll, with a part for each order that the bank is to cancel, before any call to the bank. */

import type { Cancellation } from '../../cancellations/cancellation.ts'
import { leaseUntil } from '../../cancellations/cancellation-lease.ts'
import { insertCancellation } from '../../cancellations/cancellation-store.ts'
import type { Context } from '../../context.ts'
import { writeAuditEntry } from '../../operators/write-audit-entry.ts'
import { isAcknowledged, permits } from '../../orders/payment.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newBankRequestId, newId } from '../../platform/ids.ts'
import type { PayrollCancellation } from './payroll-cancellation.ts'
import { insertPayrollCancellation } from './payroll-cancellation-store.ts'
import type { RequestedPayrollCancellation } from './requested-payroll-cancellation.ts'

/** An order of the payroll has an open cancellation. */
class AlreadyCancellingError extends Error {}

/** Returns undefined, and stores nothing, if an order has an open cancellation. */
export async function createPayrollCancellation(
  context: Context,
  requested: RequestedPayrollCancellation,
): Promise<PayrollCancellation | undefined> {
  const payrollCancellation = newPayrollCancellation(context, requested)
  try {
    await inTransaction(context, async (context) => {
      const { partnerId, id: cancellationId, payrollId, parts } = payrollCancellation
      const psu = requested.caller.psu
      const evidence = { ipAddress: psu?.ipAddress ?? null, userAgent: psu?.userAgent ?? null }
      await insertPayrollCancellation(context.database, payrollCancellation)
      for (const part of parts) {
        if (!(await insertCancellation(context.database, { ...part, ...evidence, leaseUntil: leaseUntil(context) }))) {
          throw new AlreadyCancellingError()
        }
      }
      const detail = { cancellationId, consentId: payrollCancellation.consentId, orders: parts.length }
      const entry = {
        partnerId,
        actor: requested.caller.actor,
        action: 'payroll cancellation asked',
        detail,
      }
      await writeAuditEntry(context, { ...entry, subject: ['payroll', payrollId] })
    })
    return payrollCancellation
  } catch (error) {
    if (error instanceof AlreadyCancellingError) {
      return undefined
    }
    throw error
  }
}

function newPayrollCancellation({ clock }: Context, requested: RequestedPayrollCancellation): PayrollCancellation {
  const { caller, orders, payroll } = requested
  const common = { partnerId: caller.partnerId, consentId: caller.consent.id, createdAt: clock.now() }
  const id = newId()
  const immediateDecision = decisionWithoutBank(requested)
  const parts = orders.filter(
    (order) => immediateDecision.decision === null && isAcknowledged(order) && permits(order, 'cancel'),
  )
  return {
    ...common,
    ...immediateDecision,
    id,
    payrollId: payroll.id,
    parts: parts.map(
      (order): Cancellation => ({
        ...common,
        id: newId(),
        paymentId: order.id,
        payrollCancellationId: id,
        bic: order.bic,
        bankPaymentId: order.bankPaymentId,
        wasSigned: order.signed,
        bankRequestId: newBankRequestId(),
        status: 'REQUESTED',
        reason: null,
        requestedAt: clock.real(),
      }),
    ),
  }
}

/** A payroll of which the bank holds no order yet is cancelled without a call: it is not submitted. */
function decisionWithoutBank({
  bank,
  orders,
  payroll,
}: RequestedPayrollCancellation): Pick<PayrollCancellation, 'decision' | 'reason'> {
  const isAnyCancellable = orders.some((order) => isAcknowledged(order) && permits(order, 'cancel'))
  const paid = orders.filter(({ status }) => status === 'Completed').length
  if (!isAnyCancellable) {
    return payroll.state === 'failing' && paid === 0
      ? { decision: 'ACCEPTED', reason: null }
      : { decision: 'REJECTED', reason: `The payroll is already ${payroll.status}` }
  }
  if (!bank.profile.products.includes('PAYMENT_CANCEL')) {
    return { decision: 'REJECTED', reason: `${bank.name} does not permit third parties to cancel payrolls` }
  }
  return {
    decision: null,
    reason: paid === 0 ? null : `${paid} of ${orders.length} transactions were Completed before`,
  }
}
