/** Tests the status of a payroll at a bank that accepts it as one order: of each transaction and of the payroll. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { getOpenTasks } from '../operators/resolve-task.ts'
import { listPayrollOrders } from '../orders/find-orders.ts'
import type { Payment } from '../orders/payment.ts'
import {
  settleAsAcknowledgedByOperators,
  settleAsNeverAcknowledged,
  settleByBankOrder,
} from '../orders/submit/settle-unknown-outcome.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { passTime, passUntil } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture, salary } from '../testing/payrolls/payroll-fixture.ts'
import { demoPartnerId } from '../testing/webhooks/enqueue-status-change.ts'

const bank = nordicBank(PAYROLL_BANKS.bulk)
let gateway: TestGateway
let stage: PayrollFixture
let control: SandboxBankControl
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  control = openSandboxBankControl(gateway.bank)
  partnerId = await demoPartnerId(gateway)
})
// Days pass in these tests, and a payroll that is created on a Friday evening is executed after the weekend.
beforeEach(async () => {
  await disablePaymentPolling(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

/** Amounts that select an outcome at the sandbox bank. */
const REJECTED = { amount: { amount: '7702.00', currency: 'NOK' } }
const RETURNED = { amount: { amount: '7705.00', currency: 'NOK' } }

const mixed = (number: number): Partial<PayrollRequest> => ({
  transactions: [salary(bank, number), salary(bank, number + 1, REJECTED), salary(bank, number + 2, RETURNED)],
})

async function orderOf(payrollId: string): Promise<Payment> {
  const [order] = await listPayrollOrders(gateway.context, { partnerId, payrollId })
  if (order === undefined) {
    throw new Error('The payroll has no order')
  }
  return order
}

/** Until the morning after the due day; days beyond it would be polled for nothing. */
async function passDueDay({ dueDate = '' }: PayrollRequest): Promise<void> {
  await passUntilMorning(Temporal.PlainDate.from(dueDate).add({ days: 1 }))
}

async function passUntilMorning(day: Temporal.PlainDate): Promise<void> {
  await passUntil(gateway, `${day}T07:30:00Z`)
}

/** A payroll that the bank may hold; its id there when it does. */
async function unknownOutcome(effect: string) {
  await control.postControl('/faults', { bank: bank.bic, operation: 'initiateBulkPayment', effect, times: 1 })
  const headers = {
    ...(await validHeaders(gateway, (await stage.payer.consentOf(bank)).consentId)),
    'idempotency-key': `unknown-${effect}-${Math.random()}`,
  }
  const body = stage.payroll(bank, 2)
  const answer = await sendRawRequest(gateway, ['POST', '/api/v2/payroll'], { headers, body })
  await control.clearFaults()
  const { rows } = await gateway.context.database.pool.query(
    `select id from sandbox_bank.payments where bank = $1 and service = 'bulk-payments' order by created_at desc, id desc limit 1`,
    [bank.bic],
  )
  const payrollId: string = Object(answer.body).payrollId
  const again = () => sendRawRequest(gateway, ['POST', '/api/v2/payroll'], { headers, body })
  return { payrollId, openSandboxBankControl: String(rows[0]?.id), again }
}

describe('a signed payroll', () => {
  test('is executed, and every transaction with it', async () => {
    const payroll = stage.payroll(bank, 3)
    const { payrollId } = await stage.order(bank, payroll)
    expect(await stage.sign(bank, [payrollId])).toBe('success')
    expect(await stage.counts(payrollId)).toEqual({ InProgress: 3 })
    await passDueDay(payroll)
    expect(await stage.statusOf(payrollId)).toMatchObject({ currentPayrollStatus: 'Completed', finalStatus: true })
    expect(await stage.counts(payrollId)).toEqual({ Completed: 3 })
  })

  test('is reported by transaction where the bank executes only part of it', async () => {
    const payroll = stage.payroll(bank, 0, mixed(800_000))
    const { payrollId } = await stage.order(bank, payroll)
    await stage.sign(bank, [payrollId])
    const dueDay = Temporal.PlainDate.from(payroll.dueDate ?? '')
    await passUntilMorning(dueDay)
    const { transactions, currentPayrollStatus } = await stage.statusOf(payrollId)
    expect(transactions.map(({ payrollStatus }) => payrollStatus)).toEqual(['Completed', 'Rejected', 'Completed'])
    expect(currentPayrollStatus).toBe('Completed')
    const updatedSince = gateway.context.clock.now().toString()
    // The bank returns one on the next bank day.
    await passUntilMorning(nextBankDay(['NO'], dueDay.add({ days: 1 })).add({ days: 1 }))
    expect((await stage.statusOf(payrollId)).transactions.map(({ payrollStatus }) => payrollStatus)).toEqual([
      'Completed',
      'Rejected',
      'Rejected',
    ])
    const { payrolls } = await gateway.client.listPayrolls({ query: { updatedSince } })
    expect(payrolls).toMatchObject([{ payrollId, currentPayrollStatus: 'Completed' }])
  })

  test('creates no event of a payment', async () => {
    const { rows } = await gateway.context.database.pool.query('select * from events')
    expect(rows).toEqual([])
  })

  test('has the status of the payroll in the list', async () => {
    const { payrollId } = await stage.order(bank, stage.payroll(bank, 2))
    await stage.sign(bank, [payrollId])
    const { payrolls } = await gateway.client.listPayrolls({ query: { status: 'InProgress' } })
    expect(payrolls).toMatchObject([
      { payrollId, currentPayrollStatus: 'InProgress', transactionCount: 2, outcomeUnknown: false },
    ])
  })

  test.each([
    [409, 'STATUS_INVALID'],
    [403, 'PRODUCT_INVALID'],
  ])('has its last known status while the bank answers polls with %i %s', async (status, code) => {
    const { payrollId } = await stage.order(bank, stage.payroll(bank, 1))
    await stage.sign(bank, [payrollId])
    await gateway.context.database.pool.query('update payments set poll_at = created_at where id = $1', [
      (await orderOf(payrollId)).id,
    ])
    await control.postControl('/faults', { bank: bank.bic, operation: '*', effect: 'status', status, code, times: 1 })
    expect(await stage.statusOf(payrollId)).toMatchObject({ currentPayrollStatus: 'InProgress' })
    expect(await control.faults()).toEqual([])
  })
})

describe('a payroll with an unknown outcome', () => {
  test('is matched with an order at the bank only by sum, account and count', async () => {
    const ours = await orderOf((await stage.order(bank, stage.payroll(bank, 2))).payrollId)
    const { openSandboxBankControl: nobodys } = await unknownOutcome('drop-connection')
    const { payrollId, openSandboxBankControl: bankPaymentId, again } = await unknownOutcome('drop-connection')
    const order = await orderOf(payrollId)
    expect(await settleByBankOrder(gateway.context, order, ours.bankPaymentId ?? '')).toBe(false)
    expect(await settleByBankOrder(gateway.context, order, nobodys)).toBe(false)
    expect(await stage.statusOf(payrollId)).toMatchObject({ outcomeUnknown: true })
    expect(await settleByBankOrder(gateway.context, order, bankPaymentId)).toBe(true)
    expect(await stage.statusOf(payrollId)).toMatchObject({ outcomeUnknown: false, currentPayrollStatus: 'Unsigned' })
    expect(await again()).toMatchObject({ status: 200, body: { payrollId, transactions: [{}, {}] } })
  })

  test('is resolved by two operators who looked at the bank', async () => {
    const { payrollId, openSandboxBankControl: bankPaymentId } = await unknownOutcome('drop-connection')
    const tasks = (await getOpenTasks(gateway.context)).filter(({ kind }) => kind === 'UnknownOutcome')
    const order = await orderOf(payrollId)
    expect(tasks.map(({ subjectId }) => subjectId)).toContain(order.id)
    await settleAsAcknowledgedByOperators(gateway.context, order, bankPaymentId)
    expect(await stage.sign(bank, [payrollId])).toBe('success')
  })

  test('is rejected when operators have confirmed that the bank never accepted it', async () => {
    const { payrollId, again } = await unknownOutcome('drop-request')
    const { outcomeUnknown } = await stage.statusOf(payrollId)
    if (outcomeUnknown) {
      await settleAsNeverAcknowledged(gateway.context, await orderOf(payrollId))
    }
    expect(await stage.statusOf(payrollId)).toMatchObject({ currentPayrollStatus: 'Rejected', finalStatus: true })
    expect(await again()).toMatchObject({ status: 200, body: { transactions: [{ payrollStatus: 'Rejected' }, {}] } })
  })
})

describe('an unsigned payroll', () => {
  test('is cancelled at the end of its due day', async () => {
    const payroll = stage.payroll(bank, 2)
    const { payrollId } = await stage.order(bank, payroll)
    const { bankPaymentId } = await orderOf(payrollId)
    // An order that the bank does not delete by itself.
    await control.postControl(`/payments/${bankPaymentId}/status`, { transactionStatus: 'RCVD' })
    await passDueDay(payroll)
    expect(await stage.statusOf(payrollId)).toMatchObject({ currentPayrollStatus: 'Cancelled', finalStatus: true })
    expect(await stage.counts(payrollId)).toEqual({ Cancelled: 2 })
  })
})

describe('a payroll that has expired at its bank', () => {
  test('is resubmitted with the same transactions once it is approved, and signed once', async () => {
    const { payrollId } = await stage.order(bank, stage.payroll(bank, 2))
    const former = await orderOf(payrollId)
    await gateway.context.database.pool.query('delete from sandbox_bank.bulk_transactions where bulk_id = $1', [
      former.bankPaymentId,
    ])
    await gateway.context.database.pool.query('delete from sandbox_bank.payments where id = $1', [former.bankPaymentId])
    await passTime(gateway, 'PT2M')
    await passTime(gateway, 'PT10M')
    expect(await stage.sign(bank, [payrollId])).toBe('success')
    const order = await orderOf(payrollId)
    expect(order.bankPaymentId).not.toBe(former.bankPaymentId)
    expect(order.creditorBban).toBe(former.creditorBban)
    expect(await stage.counts(payrollId)).toEqual({ InProgress: 2 })
  })
})
