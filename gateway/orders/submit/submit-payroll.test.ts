/** Tests transactions that are submitted one by one: each once, all or none, and no user signs a part of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { banksOfEachKind } from '../../../sandbox/testing/tested-banks.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import {
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
  type SingleSubmissionMode,
} from '../../testing/payrolls/payroll-submission-fixture.ts'
import { listPayrollOrders } from '../find-orders.ts'
import type { Payroll } from '../payroll.ts'
import { failPayrollSubmission } from './maintain-payroll.ts'
import { requireSubmitted } from './require-submitted.ts'
import { settleAsAcknowledgedByOperators, settleAsNeverAcknowledged } from './settle-unknown-outcome.ts'

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())
beforeEach(() => stage.reset())

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
/** The submission makes no difference between them. */
const WAYS = banksOfEachKind<SingleSubmissionMode>(['baskets'], ['chain'])
const THREE = ['1001.01', '2002.02', '3003.03']
/** The bank rejects the creditor's account, whatever it is. */
const REFUSED = '7732.00'
const OPEN = new Set(['RCVD', 'ACTC', 'PDNG'])

const wayOf = ({ submissionMode }: Payroll): SingleSubmissionMode => (submissionMode === 'chain' ? 'chain' : 'baskets')

async function require(payroll: Payroll, until = 0): Promise<void> {
  const { payroll: now } = await stage.stored(payroll)
  await requireSubmitted(stage.gateway.context, await stage.callerAt(wayOf(payroll)), now, {
    path: '.payrollId',
    until,
  })
}

async function openAtBank(payroll: Payroll): Promise<number> {
  return (await stage.atBank(payroll)).filter(({ transactionStatus }) => OPEN.has(transactionStatus)).length
}

async function unknownOrder({ partnerId, id: payrollId }: Payroll) {
  const orders = await listPayrollOrders(stage.gateway.context, { partnerId, payrollId })
  const found = orders.find(({ outcome }) => outcome === 'unknown')
  if (found === undefined) {
    throw new Error('No outcome is unknown')
  }
  return found
}

const statuses = async ({ id }: Payroll) =>
  await stage.sql<{ status: string | null; text: string | null }>(
    `select coalesce(t.status, p.status) as status, t.status_reason_text as text
     from payroll_transactions t left join payments p on p.id = t.payment_id
     where t.payroll_id = $1 order by position`,
    [id],
  )

describe.each(WAYS)('transactions submitted for %s', (submissionMode) => {
  test('are all at the bank in the end, each once, with the sums that were ordered', async () => {
    const payroll = await stage.create(submissionMode, THREE)
    await stage.submit(payroll)
    const { payroll: now, orders, waiting } = await stage.stored(payroll)
    expect(now).toMatchObject({ state: 'submitted', stateText: null, nextRunAt: null, status: 'Unsigned' })
    expect(waiting).toBe(0)
    expect(orders.map(({ outcome, status }) => [outcome, status])).toEqual(THREE.map(() => ['known', 'Unsigned']))
    const held = await stage.atBank(payroll)
    expect(held.map(({ amount }) => amount).toSorted()).toEqual(THREE)
    expect(new Set(held.map(({ requestId }) => requestId))).toEqual(new Set(orders.map(({ requestId }) => requestId)))
    await expect(require(payroll)).resolves.toBeUndefined()
  })

  test('of which the bank rejects one fail: nothing more is submitted, and what the bank holds is cancelled', async () => {
    const many = Array.from({ length: 16 }, (_, n) => `${3000 + n}.75`)
    const payroll = await stage.create(submissionMode, many.with(2, REFUSED))
    await stage.submit(payroll)
    const failing = await stage.stored(payroll)
    expect(failing.payroll).toMatchObject({ state: 'failing' })
    expect(failing.waiting).toBeGreaterThan(0)
    expect(await openAtBank(payroll)).toBe(failing.orders.length)
    await expect(require(payroll)).rejects.toMatchObject({ validationErrors: [{ path: '.payrollId' }] })
    await stage.submit(payroll)
    expect((await stage.stored(payroll)).orders).toHaveLength(failing.orders.length)

    await stage.gateway.sweep()
    const { payroll: now, orders } = await stage.stored(payroll)
    expect(now).toMatchObject({ state: 'failed', nextRunAt: null, status: 'Rejected' })
    expect(orders.map(({ status }) => status)).toEqual(orders.map(() => 'Cancelled'))
    expect(await openAtBank(payroll)).toBe(0)
    expect((await statuses(payroll))[2]).toEqual({
      status: 'Rejected',
      text: "The bank does not accept the receiver's account",
    })
    const secrets = [nordicBank(payroll.bic).supplier, nordicBank(payroll.bic).supplierName, '7732', '3001.75']
    // Four digits occur in random ids, too.
    const lines = stage.gateway.logLines().map((line) => line.replaceAll(UUID, ''))
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
    await expect(require(payroll)).rejects.toMatchObject({ validationErrors: [{ path: '.payrollId' }] })
  })

  test('wait while the bank is unavailable, and are submitted once a request has woken the worker', async () => {
    const payroll = await stage.create(submissionMode, THREE)
    await stage.injectFault(submissionMode, { effect: 'status', status: 429, times: 1 })
    await stage.submit(payroll)
    const { payroll: now, waiting } = await stage.stored(payroll)
    expect(now).toMatchObject({
      state: 'submitting',
      stateText: expect.stringContaining('limits how often it is called'),
    })
    expect(waiting).toBeGreaterThan(0)
    await expect(require(payroll)).rejects.toMatchObject({
      reasonCode: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
      message: expect.stringMatching(/holds \d of the 3 transactions/),
      extras: { retryAfterSeconds: expect.any(Number) },
    })
    await stage.submitDue()
    await expect(require(payroll)).resolves.toBeUndefined()
    expect((await stage.atBank(payroll)).map(({ amount }) => amount).toSorted()).toEqual(THREE)
    await expect(require(payroll)).resolves.toBeUndefined()
  })
})

describe('an order whose response is lost', () => {
  test('blocks the signing of the payroll until two operators report that the bank accepted it', async () => {
    const payroll = await stage.create('baskets', THREE)
    await stage.injectFault('baskets', { effect: 'drop-connection', times: 1 })
    await stage.submit(payroll)
    const { orders } = await stage.stored(payroll)
    expect(orders.map(({ outcome }) => outcome).toSorted()).toEqual(['known', 'known', 'unknown'])
    await expect(require(payroll)).rejects.toMatchObject({
      reasonCode: 'conflict',
      extras: { payrollId: payroll.id },
    })
    expect(await stage.atBank(payroll)).toHaveLength(3)
    const unknown = await unknownOrder(payroll)
    const tasks = (await getOpenTasks(stage.gateway.context)).filter(({ subjectId }) => subjectId === unknown.id)
    expect(tasks).toMatchObject([{ kind: 'UnknownOutcome' }])
    const held = (await stage.atBank(payroll)).find(({ requestId }) => requestId === unknown.bankRequestId)
    await settleAsAcknowledgedByOperators(stage.gateway.context, unknown, held?.paymentId ?? '')
    await expect(require(payroll)).resolves.toBeUndefined()
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitted' })
  })

  test('makes the payroll fail when two operators report that the bank never accepted it', async () => {
    const payroll = await stage.create('chain', THREE)
    await stage.injectFault('chain', { effect: 'drop-request', times: 1 })
    await stage.submit(payroll)
    await settleAsNeverAcknowledged(stage.gateway.context, await unknownOrder(payroll))
    await expect(require(payroll)).rejects.toMatchObject({ validationErrors: [{ path: '.payrollId' }] })
    await stage.gateway.sweep()
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed', status: 'Rejected' })
    expect(await openAtBank(payroll)).toBe(0)
  })

  test('is cancelled, too, once it is known that the bank accepted it after the payroll had failed', async () => {
    const payroll = await stage.create('baskets', ['1001.01', '1002.02', '1003.03', '1004.04', REFUSED])
    await stage.injectFault('baskets', { effect: 'drop-connection', times: 1 })
    await stage.submit(payroll)
    await stage.gateway.sweep()
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failing' })
    const unknown = await unknownOrder(payroll)
    const held = (await stage.atBank(payroll)).find(({ requestId }) => requestId === unknown.bankRequestId)
    await settleAsAcknowledgedByOperators(stage.gateway.context, unknown, held?.paymentId ?? '')
    await passTime(stage.gateway, 'PT2H')
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed' })
    expect(await openAtBank(payroll)).toBe(0)
  })
})

describe('an incomplete payroll', () => {
  test('fails when its due day ends, and what the bank holds is cancelled', async () => {
    const payroll = await stage.create('chain', THREE)
    await stage.injectFault('chain', { effect: 'status', status: 429, times: 1 })
    await stage.submit(payroll)
    const { payroll: placing } = await stage.stored(payroll)
    const midnight = payroll.dueDate.add({ days: 1 }).toZonedDateTime('Europe/Oslo').toInstant()
    expect(placing).toMatchObject({ state: 'submitting', nextRunAt: midnight })
    await stage.gateway.sweep()
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitting' })
    // Moving the clock there would affect everything else in the sandbox.
    const earlier = "due_date = due_date - 7, next_run_at = next_run_at - interval '7 days'"
    await stage.sql(`update payrolls set ${earlier} where id = $1`, [payroll.id])
    await stage.gateway.sweep()
    const { payroll: now } = await stage.stored(payroll)
    expect(now).toMatchObject({ state: 'failed', status: 'Cancelled', nextRunAt: null })
    expect(await openAtBank(payroll)).toBe(0)
    await stage.submit(payroll)
    expect(await openAtBank(payroll)).toBe(0)
  })

  test('fails when an order ends at the bank before all are submitted', async () => {
    const payroll = await stage.create('baskets', THREE)
    await stage.injectFault('baskets', { effect: 'status', status: 429, times: 1 })
    await stage.submit(payroll)
    const { orders } = await stage.stored(payroll)
    const [first] = orders
    expect(first).toBeDefined()
    await stage.sql("update payments set status = 'Rejected', bank_status = 'RJCT' where id = $1", [first?.id])
    await expect(require(payroll)).rejects.toMatchObject({ validationErrors: [{ path: '.payrollId' }] })
  })
})

describe('a payroll that failed', () => {
  test('is cancelled later where the bank is unavailable, and operators are notified where the bank rejects', async () => {
    const payroll = await stage.create('chain', ['1001.01', '1002.02', REFUSED])
    await stage.submit(payroll)
    await stage.injectFault('chain', { operation: 'cancelPayment', effect: 'status', status: 429 })
    await stage.gateway.sweep()
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failing' })
    const tasksOf = async () => {
      const { orders } = await stage.stored(payroll)
      const tasks = await getOpenTasks(stage.gateway.context)
      return tasks.filter(({ subjectId }) => orders.some(({ id }) => id === subjectId)).map(({ kind }) => kind)
    }
    expect(await tasksOf()).toEqual([])
    await stage.clearFaults()
    await stage.injectFault('chain', { operation: 'cancelPayment', effect: 'status', status: 405 })
    await passTime(stage.gateway, 'PT10M')
    const { orders, payroll: left } = await stage.stored(payroll)
    expect(orders).not.toEqual([])
    expect(await tasksOf()).toEqual(orders.map(() => 'CannotBeWithdrawn'))
    // No request to the bank is left.
    expect(left).toMatchObject({
      state: 'failed',
      status: 'Unsigned',
      stateText: expect.stringContaining('may be paid'),
    })
    await stage.clearFaults()
    for (const { paymentId } of await stage.atBank(payroll)) {
      await fetch(`${stage.gateway.bank.pagesUrl}/control/payments/${paymentId}/cancel`, { method: 'POST' })
    }
    await passTime(stage.gateway, 'PT2H')
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed', status: 'Rejected' })
  })
})

describe('two processes', () => {
  test('of which one treats the other as crashed, and that submit the same payroll at once, submit each transaction once', async () => {
    const payroll = await stage.create(
      'baskets',
      Array.from({ length: 24 }, (_, n) => `${4000 + n}.50`),
    )
    const { context } = stage.gateway
    const ahead = { ...context.clock, real: () => context.clock.real().add({ minutes: 1 }) }
    await stage.injectFault('baskets', { effect: 'slow', milliseconds: 100 })
    const placing = stage.submit(payroll)
    await eventually(async () => expect((await stage.stored(payroll)).orders.length).toBeGreaterThan(0))
    expect((await stage.stored(payroll)).waiting).toBeGreaterThan(10)
    await Promise.all([placing, stage.submit(payroll, { ...context, clock: ahead })])
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitted' })
    const held = await stage.atBank(payroll)
    expect(held).toHaveLength(24)
    expect(new Set(held.map(({ amount }) => amount)).size).toBe(24)
  })

  test('of which one makes the payroll fail: the other starts nothing more', async () => {
    const payroll = await stage.create(
      'baskets',
      Array.from({ length: 40 }, (_, n) => `${4000 + n}.75`),
    )
    await stage.injectFault('baskets', { effect: 'slow', milliseconds: 200 })
    const placing = stage.submit(payroll)
    await eventually(async () => expect((await stage.stored(payroll)).orders.length).toBeGreaterThan(0))
    await failPayrollSubmission(stage.gateway.context, payroll, 'It was cancelled')
    const { orders } = await stage.stored(payroll)
    await placing
    expect((await stage.stored(payroll)).orders).toHaveLength(orders.length)
    await stage.gateway.sweep()
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed', status: 'Cancelled' })
    expect(await openAtBank(payroll)).toBe(0)
  })

  test('do not both submit it while one has its lease', async () => {
    const payroll = await stage.create('chain', THREE)
    await stage.sql("update payrolls set lease_until = now() + interval '1 minute' where id = $1", [payroll.id])
    await stage.submit(payroll)
    expect((await stage.stored(payroll)).orders).toEqual([])
    await stage.sql('update payrolls set lease_until = null where id = $1', [payroll.id])
    await stage.submit(payroll)
    expect((await stage.stored(payroll)).orders).toHaveLength(3)
  })
})
