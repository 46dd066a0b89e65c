/** Shows what became of payouts: each by its own status where its bank tells one, else by that of its order. */
import type { PayrollTransaction } from '../../../contract/payrolls/payroll-response.ts'
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/shapes.ts'
import type { Context } from '../../context.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { mapLettingOthersIn } from '../../platform/yield-to-event-loop.ts'
import type { Payment } from '../payment.ts'
import { ordersOfPayroll } from './list-payroll-orders.ts'
import type { PayrollKey } from './payroll-order.ts'
import { type ElementShown, listElementsShown } from './payroll-transaction-store.ts'

/** What is told of a payout whose order does not exist: it waits for one, or will have none. */
export type Uncarried = { readonly status: PaymentStatusValue; readonly at: Temporal.Instant }

const READ_AT_ONCE = 500

type Standing = Pick<Payment, 'status' | 'statusReason' | 'statusReasonText' | 'statusAt'>

/** Every payout in the order of the request, and the orders that carry them. */
export async function shownPayouts(
  context: Pick<Context, 'database'>,
  key: PayrollKey,
  uncarried: Uncarried,
): Promise<{ readonly transactions: PayrollTransaction[]; readonly orders: readonly Payment[] }> {
  const [orders, elements] = await Promise.all([ordersOfPayroll(context, key), elementsOf(context, key)])
  const orderById = new Map(orders.map((order) => [order.id, order]))
  const otherwise = { status: uncarried.status, statusReason: null, statusReasonText: null, statusAt: uncarried.at }
  const transactions = await mapLettingOthersIn(elements, (element) => {
    const order = element.paymentId === null ? undefined : orderById.get(element.paymentId)
    return shownPayout(element.endToEndId, standingOf(element) ?? order ?? otherwise)
  })
  return { transactions, orders }
}

/** What the database answers at once is read at once: in parts, so that others have their turn in between. */
async function elementsOf({ database }: Pick<Context, 'database'>, key: PayrollKey): Promise<readonly ElementShown[]> {
  const elements: ElementShown[] = []
  for (let first = 0; elements.length === first; first += READ_AT_ONCE) {
    elements.push(...(await listElementsShown(database, key, { first, count: READ_AT_ONCE })))
  }
  return elements
}

/** A payout with the status that holds for it. */
export function shownPayout(endToEndId: string, standing: Standing): PayrollTransaction {
  const { status, statusReason, statusReasonText, statusAt } = standing
  return {
    endToEndId,
    timestamp: printTimestamp(statusAt),
    payrollStatus: status,
    ...reasonOf(statusReason),
    ...(statusReasonText === null ? {} : { payrollStatusReasonText: statusReasonText }),
  }
}

function reasonOf(statusReason: PaymentStatusReason | null): Pick<PayrollTransaction, 'payrollStatusReason'> {
  return statusReason === null ? {} : { payrollStatusReason: statusReason }
}

function standingOf({ status, statusReason, statusReasonText, statusAt }: ElementShown): Standing | undefined {
  return status === null || statusAt === null ? undefined : { status, statusReason, statusReasonText, statusAt }
}
