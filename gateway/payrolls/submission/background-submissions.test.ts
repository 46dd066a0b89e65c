/** Tests submissions in the background: they end with their process, and metrics cover them. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { openPaymentDriver } from '../../testing/payments/payment-driver.ts'
import {
  BANKS_BY_SINGLE_MODE,
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
  samplePayroll,
} from '../../testing/payrolls/payroll-submission-fixture.ts'
import { backgroundSubmissionsOf } from './background-submissions.ts'
import { startPayrollSubmission } from './submit-payroll.ts'

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())
beforeEach(() => stage.clearFaults())

const bank = nordicBank(BANKS_BY_SINGLE_MODE.baskets)
const MANY = Array.from({ length: 30 }, (_, n) => `${5000 + n}.25`)

/** What the metrics say of a name. */
async function measured(name: string): Promise<string | undefined> {
  const text = await (await stage.gateway.fetch('/metrics')).text()
  return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
}

describe('a payroll that is ordered', () => {
  test('is answered at once, every payout unsigned, and is at the bank a little later', async () => {
    const consent = await openPaymentDriver(stage.gateway).consentOf(bank)
    const body = samplePayroll(stage.gateway, bank, MANY, 'ordered')
    await stage.injectFault('baskets', { effect: 'slow', milliseconds: 500, times: 8 })
    const { payrollId, transactions } = await stage.gateway.client.initiatePayroll({ ...consent, body })
    expect(transactions.map(({ payrollStatus }) => payrollStatus)).toEqual(MANY.map(() => 'Unsigned'))
    const row = () => stage.sql<{ state: string }>('select state from payrolls where id = $1', [payrollId])
    expect(await row()).toEqual([{ state: 'submitting' }])
    expect(await measured('havn_payrolls_open\\{state="submitting"\\}')).toBe('1')
    await eventually(async () => expect(await row()).toEqual([{ state: 'submitted' }]))
    expect(await measured('havn_payrolls_open\\{state="submitting"\\}')).toBeUndefined()
  })
})

describe('a process that is to end', () => {
  test('finishes the orders that are under way, begins no other, and is done', async () => {
    const payroll = await stage.keep('baskets', MANY)
    const context = { ...stage.gateway.context }
    await stage.injectFault('baskets', { effect: 'slow', milliseconds: 300 })
    startPayrollSubmission(context, await stage.callerAt('baskets'), payroll)
    await eventually(async () => expect((await stage.kept(payroll)).orders.length).toBeGreaterThan(0))
    await backgroundSubmissionsOf(context).end()
    const { orders, waiting, payroll: now } = await stage.kept(payroll)
    expect(orders.filter(({ outcome }) => outcome !== 'known')).toEqual([])
    expect(waiting).toBeGreaterThan(20)
    expect(now.state).toBe('submitting')
    expect(await measured('havn_payroll_submission_idle_seconds')).not.toBe('0')

    startPayrollSubmission(context, await stage.callerAt('baskets'), payroll)
    await backgroundSubmissionsOf(context).end()
    await pause(0)
    expect((await stage.kept(payroll)).orders).toHaveLength(orders.length)
  })
})

describe('payrolls of one bank', () => {
  test('have eight places there together, however many are placed', async () => {
    const context = { ...stage.gateway.context }
    let [under, most] = [0, 0]
    const ask = async () => {
      under += 1
      most = Math.max(most, under)
      await pause(5)
      under -= 1
    }
    await Promise.all(Array.from({ length: 40 }, () => backgroundSubmissionsOf(context).within('ANY', ask)))
    expect(most).toBe(8)
  })
})
