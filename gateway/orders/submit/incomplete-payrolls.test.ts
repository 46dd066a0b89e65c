/** Tests payrolls of which orders are missing: no user signs less than was ordered, and the orders of failed ones are cancelled. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { banksOfEachKind } from '../../../sandbox/testing/tested-banks.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { requireApprovablePayrolls } from '../../payrolls/approve-payrolls.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import {
  BANKS_BY_SINGLE_MODE,
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
  type SingleSubmissionMode,
} from '../../testing/payrolls/payroll-submission-fixture.ts'
import { listPayrollOrders } from '../find-orders.ts'
import type { Payroll } from '../payroll.ts'
import { failPayrollSubmission } from './maintain-payroll.ts'
import { requireSubmitted } from './require-submitted.ts'
import { settleAsNeverAcknowledged } from './settle-unknown-outcome.ts'

/** The submission makes no difference between them. */
const WAYS = banksOfEachKind<SingleSubmissionMode>(['baskets'], ['chain'])

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())
beforeEach(() => stage.reset())

describe('requiring that a payroll is submitted', () => {
  const THREE = ['1001.01', '2002.02', '3003.03']

  async function requireSignable(payroll: Payroll): Promise<void> {
    const caller = await stage.callerAt(payroll.submissionMode === 'chain' ? 'chain' : 'baskets')
    await requireSubmitted(stage.gateway.context, caller, (await stage.stored(payroll)).payroll, {
      path: '.payrollId',
      until: 0,
    })
  }

  /** One order ends at the bank by itself, and is read there. */
  async function loseOne(payroll: Payroll): Promise<void> {
    const [first] = (await stage.stored(payroll)).orders
    await openSandboxBankControl(stage.gateway.bank).postControl(`/payments/${first?.bankPaymentId}/status`, {
      transactionStatus: 'RJCT',
    })
    await stage.sql("update payments set poll_at = '2020-01-01' where id = $1", [first?.id])
    await stage.gateway.sweep()
  }

  describe.each(WAYS)('an order of a payroll for %s that ends at the bank unsigned', (submissionMode) => {
    test('makes the payroll fail during its submission, without a request', async () => {
      const payroll = await stage.create(submissionMode, THREE)
      await stage.injectFault(submissionMode, { effect: 'status', status: 429, times: 1 })
      await stage.submit(payroll)
      await stage.clearFaults()
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitting' })
      await loseOne(payroll)
      await stage.gateway.sweep()
      const { payroll: failed } = await stage.stored(payroll)
      expect(failed).toMatchObject({ state: 'failed', status: 'Rejected' })
      // Operators are notified a day after the last change, so that a request for the approval must not count as one.
      await expect(requireSignable(payroll)).rejects.toMatchObject({ validationErrors: [{ path: '.payrollId' }] })
      expect((await stage.stored(payroll)).payroll.changedAt).toEqual(failed.changedAt)
    })

    test('blocks the signing of the other transactions; not once a user has signed', async () => {
      const payroll = await stage.create(submissionMode, THREE)
      await stage.submit(payroll)
      await loseOne(payroll)
      await expect(requireSignable(payroll)).rejects.toMatchObject({
        validationErrors: [{ path: '.payrollId', reason: expect.stringContaining('1 of its 3 transactions ended') }],
      })
      await stage.sql("update payments set signed = true where payroll_id = $1 and status = 'Unsigned'", [payroll.id])
      await expect(requireSignable(payroll)).resolves.toBeUndefined()
    })
  })

  describe.each(WAYS)('a transaction for %s', (submissionMode) => {
    test('that equals one of another payroll with an unknown outcome waits, and the error names that payroll', async () => {
      const mark = crypto.randomUUID().slice(0, 8)
      const first = await stage.create(submissionMode, THREE.slice(0, 1), { mark })
      await stage.injectFault(submissionMode, { effect: 'drop-request', times: 1 })
      await stage.submit(first)
      await stage.clearFaults()
      const second = await stage.create(submissionMode, THREE, { mark })
      await stage.submit(second)
      expect(await stage.stored(second)).toMatchObject({ payroll: { state: 'submitting' }, waiting: 1 })
      const refused = { reasonCode: 'conflict', extras: { payrollId: first.id } }
      await expect(requireSignable(second)).rejects.toMatchObject(refused)

      const { partnerId, id: payrollId } = first
      const [unknown] = await listPayrollOrders(stage.gateway.context, { partnerId, payrollId })
      if (unknown === undefined) {
        throw new Error('There is no order')
      }
      await settleAsNeverAcknowledged(stage.gateway.context, unknown)
      await requireSignable(second).catch(() => undefined)
      await stage.submitDue()
      expect(await stage.stored(second)).toMatchObject({ payroll: { state: 'submitted' }, waiting: 0 })
      await expect(requireSignable(second)).resolves.toBeUndefined()
    })

    test('that the user may not pay waits for another user: the payroll does not fail', async () => {
      const payroll = await stage.create(submissionMode, THREE, {
        from: nordicBank(BANKS_BY_SINGLE_MODE[submissionMode]).viewOnly,
      })
      await stage.submit(payroll)
      const { payroll: now, waiting } = await stage.stored(payroll)
      expect(now).toMatchObject({
        state: 'submitting',
        stateText: expect.stringContaining('does not permit the user to pay'),
      })
      expect(waiting).toBe(THREE.length)
      expect(now.submitAt).toBeNull()
    })
  })
})

test('a user whose consent lacks the account is rejected before anything is submitted as that user', async () => {
  const from = nordicBank(BANKS_BY_SINGLE_MODE.chain).supplier
  const payroll = await stage.create('chain', ['1001.01', '2002.02'], { from })
  const requested = [{ id: payroll.id, path: '.payrollId' }]
  const approving = requireApprovablePayrolls(stage.gateway.context, await stage.callerAt('chain'), requested)
  await expect(approving).rejects.toMatchObject({ reasonCode: 'ACCESS_DENIED' })
  expect(await stage.stored(payroll)).toMatchObject({ payroll: { state: 'submitting', stateText: null }, orders: [] })
})

describe('cancelling the orders of a failed payroll', () => {
  const TWO = ['1001.01', '2002.02']

  test('changes it when it ends, because its status is final then: lists by `updatedSince` return it again', async () => {
    const { context } = stage.gateway
    const payroll = await stage.create('baskets', TWO)
    await failPayrollSubmission(context, payroll, 'It was cancelled', { seconds: 30 })
    const { payroll: failing } = await stage.stored(payroll)
    expect(failing).toMatchObject({ state: 'failing', status: 'Cancelled' })
    await pass('PT1M')
    const { payroll: failed } = await stage.stored(payroll)
    expect(failed).toMatchObject({ state: 'failed', status: 'Cancelled' })
    expect(Temporal.Instant.compare(failed.changedAt, failing.changedAt)).toBe(1)
  })

  /** Submitted, and then as if the submission had been stopped in the middle. */
  async function failing(submissionMode: SingleSubmissionMode, other: { from?: string } = {}): Promise<Payroll> {
    const payroll = await stage.create(submissionMode, TWO, other)
    await stage.submit(payroll)
    await stage.sql("update payrolls set state = 'submitting' where id = $1", [payroll.id])
    expect(await failPayrollSubmission(stage.gateway.context, payroll, 'It was given up')).toBe(true)
    // No other job reads the orders.
    await stage.sql('update payments set poll_at = null where payroll_id = $1', [payroll.id])
    expect((await stage.stored(payroll)).orders).toHaveLength(TWO.length)
    return payroll
  }

  const pass = (advance: string) => passTime(stage.gateway, advance)

  async function statusesOf(payroll: Payroll): Promise<readonly string[]> {
    return (await stage.stored(payroll)).orders.map(({ status }) => status)
  }

  async function tasksOf(payroll: Payroll): Promise<readonly string[]> {
    const { orders } = await stage.stored(payroll)
    const about = new Set([payroll.id, ...orders.map(({ id }) => id)])
    return (await getOpenTasks(stage.gateway.context))
      .filter(({ subjectId }) => about.has(subjectId))
      .map(({ kind }) => kind)
  }

  /** As if it had failed that long ago, and had been due a week ago. */
  async function age(payroll: Payroll, hours: number): Promise<void> {
    await stage.sql(
      `update payrolls set changed_at = changed_at - make_interval(hours => $2), due_date = due_date - 7,
         next_run_at = changed_at where id = $1`,
      [payroll.id, hours],
    )
    await stage.gateway.sweep()
  }

  test.each(['baskets', 'chain'] as const)(
    'of a payroll for %s that failed orders without SCA are cancelled, or operators and the partner are notified',
    async (submissionMode) => {
      const payroll = await failing(submissionMode, {
        from: nordicBank(BANKS_BY_SINGLE_MODE[submissionMode]).noSigning,
      })
      expect(await statusesOf(payroll)).toEqual(['InProgress', 'InProgress'])
      await stage.gateway.sweep()
      const { payroll: now, orders } = await stage.stored(payroll)
      const paid = orders.filter(({ status }) => status !== 'Cancelled')
      const told = paid.length === 0 ? [] : [...paid.map(() => 'CannotBeWithdrawn'), 'PayrollNotWithdrawn']
      expect((await tasksOf(payroll)).toSorted()).toEqual(told)
      expect(now.state).toBe('failed')
      expect(now.stateText?.includes('may be paid')).toBe(paid.length > 0)
    },
  )

  describe.each(WAYS)('of a payroll for %s that failed', (submissionMode) => {
    test('orders whose cancellation the bank rejects because they were cancelled before are cancelled, and raise no task', async () => {
      const payroll = await failing(submissionMode)
      for (const { bankPaymentId } of (await stage.stored(payroll)).orders) {
        await openSandboxBankControl(stage.gateway.bank).postControl(`/payments/${bankPaymentId}/cancel`)
      }
      await stage.gateway.sweep()
      expect(await statusesOf(payroll)).toEqual(['Cancelled', 'Cancelled'])
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed', stateText: 'It was given up' })
      expect(await tasksOf(payroll)).toEqual([])
    })

    test('expired orders end once the expiry is certain', async () => {
      const payroll = await failing(submissionMode)
      await stage.injectFault(submissionMode, { operation: 'cancelPayment', effect: 'status', status: 404 })
      await stage.injectFault(submissionMode, { operation: 'getPaymentStatus', effect: 'status', status: 404 })
      await stage.gateway.sweep()
      expect(await statusesOf(payroll)).toEqual(['Unsigned', 'Unsigned'])
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failing' })
      await pass('PT6M')
      expect(await statusesOf(payroll)).toEqual(['Cancelled', 'Cancelled'])
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed', stateText: 'It was given up' })
    })

    test('orders that a user is signing are not touched meanwhile', async () => {
      const payroll = await failing(submissionMode)
      const [held] = (await stage.stored(payroll)).orders
      await stage.sql(
        `insert into approval_leases (partner_id, payment_id, approval_id, lease_until)
         select partner_id, id, id, now() + interval '1 hour' from payments where id = $1`,
        [held?.id],
      )
      await stage.gateway.sweep()
      expect(await statusesOf(payroll)).toEqual(['Unsigned', 'Cancelled'])
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failing' })
      await stage.sql('delete from approval_leases where payment_id = $1', [held?.id])
      await pass('PT10M')
      expect(await statusesOf(payroll)).toEqual(['Cancelled', 'Cancelled'])
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed' })
    })

    test('orders whose bank is unavailable are reported to operators after a day, once, and polled no longer than a day after their due date', async () => {
      const payroll = await failing(submissionMode)
      await stage.injectFault(submissionMode, { operation: 'cancelPayment', effect: 'status', status: 429 })
      await stage.gateway.sweep()
      expect(await tasksOf(payroll)).toEqual([])
      await stage.sql(
        "update payrolls set changed_at = changed_at - interval '25 hours', next_run_at = changed_at where id = $1",
        [payroll.id],
      )
      await stage.gateway.sweep()
      expect(await tasksOf(payroll)).toEqual(['PayrollNotWithdrawn'])
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failing' })
      await age(payroll, 1)
      expect(await tasksOf(payroll)).toEqual(['PayrollNotWithdrawn'])
      const stateText =
        'It was given up. 2 of its 2 transactions are at the bank, could not be cancelled, and may be paid'
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed', nextRunAt: null, stateText })
    })
  })
})
