/** Tests payrolls that are to be signed: missing transactions are reported, and no user signs less than was ordered. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import {
  BANKS_BY_SINGLE_MODE,
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
  type SingleSubmissionMode,
} from '../../testing/payrolls/payroll-submission-fixture.ts'
import { listPayrollOrders } from '../find-orders.ts'
import type { Payroll } from '../payroll.ts'
import { requireSubmitted } from './require-submitted.ts'
import { settleAsNeverAcknowledged } from './settle-unknown-outcome.ts'

const WAYS: readonly SingleSubmissionMode[] = ['baskets', 'chain']
const THREE = ['1001.01', '2002.02', '3003.03']

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())
beforeEach(() => stage.reset())

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
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed', status: 'Rejected' })
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
