/** Tests transaction statuses from banks: matching by id, poll intervals, and that no text of the bank is stored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BankError } from '../banks/connector/bank-error.ts'
import type { BulkObservation } from '../banks/connector/bank-order.ts'
import type { Connector } from '../banks/connector/connector.ts'
import type { Context } from '../context.ts'
import { getOpenTasks } from '../operators/resolve-task.ts'
import { listPayrollOrders } from '../orders/find-orders.ts'
import type { Payment } from '../orders/payment.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { recordPaymentStatus } from '../orders/status/record-payment-status.ts'
import { createResubmission, rollBackResubmission } from '../orders/store/expired-order-store.ts'
import { newId } from '../platform/ids.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'
import { demoPartnerId } from '../testing/webhooks/enqueue-status-change.ts'

const bank = nordicBank(PAYROLL_BANKS.bulkOwnIds)
/** Texts that only the persons concerned may read. */
const SECRET = 'Kari Nordmann NOK 35000'

let gateway: TestGateway
let stage: PayrollFixture
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  partnerId = await demoPartnerId(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

async function sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, [...values])).rows
}

async function orderOf(payrollId: string): Promise<Payment> {
  const [order] = await listPayrollOrders(gateway.context, { partnerId, payrollId })
  return order ?? expect.fail('The payroll has no order')
}

async function elementIds(payrollId: string): Promise<readonly (string | null)[]> {
  const rows = await sql<{ id: string | null }>(
    'select bank_transaction_id as id from payroll_transactions where payroll_id = $1 order by position',
    [payrollId],
  )
  return rows.map(({ id }) => id)
}

async function ordered(count: number): Promise<{ readonly payrollId: string; readonly order: Payment }> {
  const { payrollId } = await stage.order(bank, stage.payroll(bank, count))
  return { payrollId, order: await orderOf(payrollId) }
}

/** A gateway whose bank responds with this to requests about a bulk. */
function answering(read: () => Promise<BulkObservation>): Context {
  const { banks } = gateway.context
  const connectorOf: Context['banks']['connectorOf'] = (requested): Connector => {
    const connector = banks.connectorOf(requested)
    const { bulkPayments = expect.fail('The bank takes no bulks') } = connector
    return { ...connector, bulkPayments: { ...bulkPayments, read } }
  }
  return { ...gateway.context, banks: { ...banks, connectorOf } }
}

describe('the ids of transactions', () => {
  test('are those of the order that replaced an expired one', async () => {
    const { payrollId, order } = await ordered(2)
    await sql(`update payroll_transactions set bank_transaction_id = 'former-' || position where payroll_id = $1`, [
      payrollId,
    ])
    await sql('delete from sandbox_bank.bulk_transactions where bulk_id = $1', [order.bankPaymentId])
    await sql('delete from sandbox_bank.payments where id = $1', [order.bankPaymentId])
    await passTime(gateway, 'PT2M')
    await passTime(gateway, 'PT10M')
    expect(await stage.sign(bank, [payrollId])).toBe('success')
    expect((await orderOf(payrollId)).bankPaymentId).not.toBe(order.bankPaymentId)
    const none = expect.not.stringMatching(/^former-/)
    expect(await elementIds(payrollId)).toEqual([none, none])
  })

  test('are deleted as soon as an order is about to be resubmitted', async () => {
    const { payrollId, order } = await ordered(2)
    const now = gateway.context.clock.now()
    await sql(`update payroll_transactions set bank_transaction_id = 'former-' || position where payroll_id = $1`, [
      payrollId,
    ])
    await sql('update payments set expired_at = $2 where id = $1', [order.id, now.toString()])
    const requested = { bankRequestId: newId(), notificationTokenHash: 'hint', recoverAt: now.add({ hours: 1 }) }
    const former = { formerBankPaymentId: order.bankPaymentId ?? '', expiredOrderId: newId(), expiredOrderPollAt: now }
    const submission = { partnerId, id: order.id, ...former, ...requested }
    expect(await createResubmission(gateway.context.database, submission)).toBe(true)
    expect(await elementIds(payrollId)).toEqual([null, null])
    expect(await rollBackResubmission(gateway.context.database, submission)).toBe(true)
  })
})

describe('a bank that reports part of the transactions', () => {
  const reported = (positions: readonly number[], status: 'InProgress' | 'Completed'): BulkObservation => {
    const standing = { status, statusReason: null, statusReasonText: null } as const
    return {
      ...{ ...standing, status: 'InProgress', bankStatus: 'PART' },
      elements: positions.map((position) => ({ ...standing, position, elementId: null, bankStatus: 'ACSP' })),
    }
  }
  const wait = ({ pollAt }: Payment) => pollAt?.since(gateway.context.clock.now()).total('seconds') ?? 0

  test('is polled on at once while it reports something new, with fewer calls at a time than all of them would take', async () => {
    const { order } = await ordered(4)
    await sql(
      `update payments set status = 'InProgress', signed = true, poll_step = 18, due_date = due_date - 1 where id = $1`,
      [order.id],
    )
    const known = async () => await orderOf(order.type === 'Payroll' ? order.ordered.payrollId : '')
    const news = await recordPaymentStatus(gateway.context, await known(), reported([0, 1], 'InProgress'))
    expect(news.pollStep).toBe(0)
    await sql('update payments set poll_step = 16 where id = $1', [order.id])
    const part = await recordPaymentStatus(gateway.context, await known(), reported([0, 1], 'InProgress'))
    await sql('update payments set poll_step = 16 where id = $1', [order.id])
    await recordPaymentStatus(gateway.context, await known(), reported([2, 3], 'InProgress'))
    await sql('update payments set poll_step = 16 where id = $1', [order.id])
    const whole = await recordPaymentStatus(gateway.context, await known(), reported([0, 1, 2, 3], 'InProgress'))
    expect([part.pollStep, whole.pollStep]).toEqual([17, 17])
    expect(wait(whole) / wait(part)).toBeCloseTo(2, 1)
  })
})

describe('a bank text', () => {
  /** Every table that may contain a text of a bank. */
  const stored = async () =>
    JSON.stringify([
      await sql('select to_json(t)::text as row from payments t'),
      await sql('select to_json(t)::text as row from payment_history t'),
      await sql('select to_json(t)::text as row from payroll_transactions t'),
      await getOpenTasks(gateway.context),
    ])

  test('about salaries is not stored, however a bulk ends', async () => {
    const { payrollId, order } = await ordered(2)
    const standing = { status: 'Rejected', statusReason: null, statusReasonText: SECRET, bankStatus: 'RJCT' } as const
    const elements = [0, 1].map((position) => ({ ...standing, position, elementId: null }))
    await pollPayment(
      answering(async () => ({ ...standing, elements })),
      order,
    )
    expect(await stage.counts(payrollId)).toEqual({ Rejected: 2 })
    expect(await stored()).not.toContain('Nordmann')
    const { transactions } = await stage.statusOf(payrollId)
    expect(transactions[0]?.payrollStatusReasonText).toBe('The bank does not execute it')
  })

  test('that is no status is not stored as one', async () => {
    const { order } = await ordered(1)
    const standing = { status: null, statusReason: null, statusReasonText: SECRET, bankStatus: SECRET } as const
    const read = await pollPayment(
      answering(async () => standing),
      order,
    )
    expect(read).toMatchObject({ status: 'Unsigned', bankStatus: 'unknown', statusReasonText: null })
    expect(await stored()).not.toContain('Nordmann')
  })

  test('in a rejection is not reported to operators', async () => {
    const { order } = await ordered(1)
    await sql('update payments set signed = true where id = $1', [order.id])
    const rejected = async () => {
      throw new BankError('access-denied', SECRET)
    }
    await pollPayment(answering(rejected), { ...order, signed: true })
    const tasks = (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === order.id)
    expect(tasks).toMatchObject([{ kind: 'BankCannotBeRead', detail: { errorKind: 'access-denied' } }])
    expect(await stored()).not.toContain('Nordmann')
  })
})
