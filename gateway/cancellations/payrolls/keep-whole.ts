/** Keeps the wish to cancel a payroll, with a part for each order that its bank is asked to withdraw, before it is. */
import type { Context } from '../../context.ts'
import { writeAudit } from '../../operators/write-audit-entry.ts'
import { isHeld, permits } from '../../orders/payment.ts'
import { insertWhole } from '../../payrolls/cancellations/payroll-cancellation-store.ts'
import type { PayrollWish } from '../../payrolls/cancellations/requested-payroll-cancellation.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { newBankRequestId, newId } from '../../platform/ids.ts'
import type { Cancellation } from '../cancellation.ts'
import { leaseUntil } from '../cancellation-lease.ts'
import { insertCancellation } from '../cancellation-store.ts'
import type { PayrollCancellation } from './payroll-cancellation.ts'

/** Somebody else is cancelling an order of it. */
class Overtaken extends Error {}

/** Undefined when somebody else has begun at the same moment; then nothing is kept. */
export async function keepWhole(context: Context, wish: PayrollWish): Promise<PayrollCancellation | undefined> {
  const whole = wholeOf(context, wish)
  try {
    await atomically(context.database, async (within) => {
      const { partnerId, id: cancellationId, payrollId, parts } = whole
      const psu = wish.caller.psu
      const evidence = { ipAddress: psu?.ipAddress ?? null, userAgent: psu?.userAgent ?? null }
      await insertWhole(within, whole)
      for (const part of parts) {
        if (!(await insertCancellation(within, { ...part, ...evidence, leaseUntil: leaseUntil(context) }))) {
          throw new Overtaken()
        }
      }
      const detail = { cancellationId, consentId: whole.consentId, orders: parts.length }
      const entry = { partnerId, actor: `client ${wish.caller.clientId}`, action: 'payroll cancellation asked', detail }
      await writeAudit({ ...context, database: within }, { ...entry, subject: ['payroll', payrollId] })
    })
    return whole
  } catch (error) {
    if (error instanceof Overtaken) {
      return undefined
    }
    throw error
  }
}

function wholeOf({ clock }: Context, wish: PayrollWish): PayrollCancellation {
  const { caller, orders, payroll } = wish
  const common = { partnerId: caller.partnerId, consentId: caller.consent.id, createdAt: clock.now() }
  const id = newId()
  const said = saidWithoutAsking(wish)
  const parts = orders.filter((order) => said.verdict === null && isHeld(order) && permits(order, 'cancel'))
  return {
    ...common,
    ...said,
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
        status: 'ASKED',
        reason: null,
        askedAt: clock.real(),
      }),
    ),
  }
}

/** One of which the bank holds nothing yet is cancelled by not being placed. */
function saidWithoutAsking({ bank, orders, payroll }: PayrollWish): Pick<PayrollCancellation, 'verdict' | 'reason'> {
  const isAnyHeld = orders.some((order) => isHeld(order) && permits(order, 'cancel'))
  const paid = orders.filter(({ status }) => status === 'Completed').length
  if (!isAnyHeld) {
    return payroll.state === 'failing' && paid === 0
      ? { verdict: 'ACCEPTED', reason: null }
      : { verdict: 'REJECTED', reason: `The payroll is ${payroll.status} already` }
  }
  if (!bank.profile.products.includes('PAYMENT_CANCEL')) {
    return { verdict: 'REJECTED', reason: `${bank.name} lets no third party cancel payrolls` }
  }
  return { verdict: null, reason: paid === 0 ? null : `${paid} of ${orders.length} payouts were Completed before` }
}
