/** Measures the cancellation of a payroll that its bank has as single orders: the response, and the end of all of them. */
import { setTimeout as pause } from 'node:timers/promises'
import { PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { openPayrollClient, type PayrollClient } from './payroll-fixture.ts'

export type CancellationFigures = {
  readonly orders: number
  /** Those that the bank had answered for by then. */
  readonly answeredOrders: number
  readonly responseMilliseconds: number
  /** From the request until every order is cancelled at the bank. */
  readonly cancelledMilliseconds: number
}

const POLL_MILLISECONDS = 500
const CANCELLED_WITHIN_MILLISECONDS = 300_000

/** Throws when an order is left, and when the outcome of one was unknown. */
export async function measureCancellation(havn: RunningHavn, orders: number): Promise<CancellationFigures> {
  const payer = await openPayrollClient(havn, PAYROLL_BANKS.baskets)
  const { payrollId } = await payer.order(payer.payroll(orders))
  await payer.submitted(payrollId)
  const begun = performance.now()
  const answer = await payer.cancel(payrollId)
  const responseMilliseconds = performance.now() - begun
  await untilCancelled(payer, { id: answer.id, payrollId, until: begun + CANCELLED_WITHIN_MILLISECONDS })
  const cancelledMilliseconds = performance.now() - begun
  return { orders, answeredOrders: answer.progress?.answered ?? orders, responseMilliseconds, cancelledMilliseconds }
}

type Cancelling = { readonly id: string; readonly payrollId: string; readonly until: number }

async function untilCancelled(payer: PayrollClient, { id, payrollId, until }: Cancelling): Promise<void> {
  for (;;) {
    const { cancellationRequestStatus, progress } = await payer.cancellation(id)
    if (cancellationRequestStatus === 'ACCEPTED') {
      break
    }
    if (cancellationRequestStatus !== undefined || performance.now() > until) {
      throw new Error(`The cancellation is ${cancellationRequestStatus ?? `at ${JSON.stringify(progress)}`}`)
    }
    await pause(POLL_MILLISECONDS)
  }
  const { transactions } = await payer.status(payrollId)
  const open = transactions.filter(({ payrollStatus }) => payrollStatus !== 'Cancelled').length
  if (open > 0) {
    throw new Error(`${open} of ${transactions.length} transactions are not cancelled`)
  }
}
