/** Tests the submission of payrolls as a job: no request and no user is needed, and any worker continues it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { acceptedWithoutBrowser, openPaymentDriver } from '../../testing/payments/payment-driver.ts'
import { PSU } from '../../testing/payments/sample-payments.ts'
import {
  BANKS_BY_SINGLE_MODE,
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
  samplePayroll,
} from '../../testing/payrolls/payroll-submission-fixture.ts'
import { payrollSubmissionSweep } from '../jobs.ts'
import type { Payroll } from '../payroll.ts'
import { requireSubmitted } from './require-submitted.ts'

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())
beforeEach(() => stage.reset())

const bank = nordicBank(BANKS_BY_SINGLE_MODE.baskets)
const THREE = ['1001.01', '2002.02', '3003.03']
const amounts = (count: number, from: number) => Array.from({ length: count }, (_, n) => `${from + n}.25`)
const advance = (duration: string) => passTime(stage.gateway, duration)

/** The value of a metric. */
async function measured(name: string): Promise<string | undefined> {
  const text = await (await stage.gateway.fetch('/metrics')).text()
  return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
}

async function expectEachOnceAtBank(payroll: Payroll, ordered: readonly string[]): Promise<void> {
  expect((await stage.atBank(payroll)).map(({ amount }) => amount).toSorted()).toEqual(ordered.toSorted())
}

async function consentOf({ id }: Payroll): Promise<string | undefined> {
  const [row] = await stage.sql<{ consent: string }>(
    'select submission_consent_id as consent from payrolls where id = $1',
    [id],
  )
  return row?.consent
}

/** A request for the approval under another consent, whose response is that it has to wait. */
async function requestAs(payroll: Payroll, consentId: string): Promise<unknown> {
  const { consent, ...caller } = await stage.callerAt('baskets')
  const { payroll: now } = await stage.stored(payroll)
  const approver = { ...caller, consent: { ...consent, id: consentId } }
  const request = requireSubmitted(stage.gateway.context, approver, now, { path: '.payrollId', until: 0 })
  return await request.catch((error: unknown) => error)
}

describe('an ordered payroll', () => {
  test('is returned at once, every transaction unsigned, and is at the bank once a worker has run', async () => {
    const consent = await openPaymentDriver(stage.gateway).consentOf(bank)
    const body = samplePayroll(stage.gateway, bank, THREE, 'ordered')
    const { payrollId, transactions } = await stage.gateway.client.initiatePayroll({ ...consent, body })
    expect(transactions.map(({ payrollStatus }) => payrollStatus)).toEqual(THREE.map(() => 'Unsigned'))
    const row = () => stage.sql<{ state: string }>('select state from payrolls where id = $1', [payrollId])
    expect(await row()).toEqual([{ state: 'submitting' }])
    expect(await measured('havn_payrolls_open\\{state="submitting"\\}')).toBe('1')
    await stage.gateway.sweep()
    expect(await row()).toEqual([{ state: 'submitted' }])
    expect(await measured('havn_payrolls_open\\{state="submitting"\\}')).toBeUndefined()
  })

  test('is submitted before the clock advances: its due day does not end without it', async () => {
    const payroll = await stage.create('baskets', THREE)
    await stage.gateway.client.moveSandboxClock({ body: { advance: 'PT1M' } })
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitted' })
  })
})

describe('a worker', () => {
  test('submits nothing once the due date has ended, even where it runs before the payroll has failed', async () => {
    const payroll = await stage.create('baskets', THREE)
    await stage.sql("update payrolls set due_date = due_date - 14, next_run_at = '2020-01-01' where id = $1", [
      payroll.id,
    ])
    await stage.submitDue()
    expect(await stage.stored(payroll)).toMatchObject({ payroll: { state: 'submitting' }, orders: [], waiting: 3 })
    await stage.gateway.sweep()
    const stateText = 'Not all of it had been submitted to the bank by the end of the due date'
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'failed', status: 'Cancelled', stateText })
    expect(await stage.atBank(payroll)).toEqual([])
  })

  test('leaves the rest to its next run once its time is over, having submitted at least one', async () => {
    const ordered = amounts(12, 6000)
    const payroll = await stage.create('baskets', ordered)
    const { context } = stage.gateway
    let seconds = 0
    const real = () => {
      seconds += 1
      return context.clock.real().add({ seconds })
    }
    const sweep = payrollSubmissionSweep({ ...context, clock: { ...context.clock, real } })
    await sweep.run(50)
    const { payroll: now, waiting, orders } = await stage.stored(payroll)
    expect(orders.length).toBeGreaterThan(0)
    expect(waiting).toBeGreaterThan(0)
    expect(now).toMatchObject({ state: 'submitting', stateText: null, submissionFailedSince: null })
    await stage.submitDue()
    await expectEachOnceAtBank(payroll, ordered)
  })

  test('processes two payrolls of a bank at once, and the others in turn', async () => {
    const payrolls = [
      await stage.create('baskets', THREE),
      await stage.create('baskets', THREE),
      await stage.create('baskets', THREE),
    ]
    const sweep = payrollSubmissionSweep(stage.gateway.context)
    const begun = await sweep.begin(50)
    expect(begun).toHaveLength(2)
    expect(await sweep.begin(50)).toEqual([])
    await Promise.all(begun)
    await Promise.all(await sweep.begin(50))
    for (const payroll of payrolls) {
      expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitted' })
    }
  })

  test('renews its lease while the bank is slow', async () => {
    const payroll = await stage.create('baskets', ['7001.25'])
    const leaseOf = async () => {
      const text = 'select extract(epoch from lease_until)::float as lease from payrolls where id = $1'
      return (await stage.sql<{ lease: number | null }>(text, [payroll.id]))[0]?.lease ?? 0
    }
    await stage.injectFault('baskets', { effect: 'slow', milliseconds: 7_000, times: 1 })
    const submitting = stage.submitDue()
    const claimed = await eventually(async () => {
      const lease = await leaseOf()
      expect(lease).toBeGreaterThan(0)
      return lease
    })
    await eventually(async () => expect(await leaseOf()).toBeGreaterThan(claimed))
    await submitting
    expect(await leaseOf()).toBe(0)
  })
})

describe('a bank that is unavailable for an hour', () => {
  test('is called ever more rarely, and gets the payroll by itself once it is back', async () => {
    const payroll = await stage.create('baskets', THREE)
    await stage.injectFault('baskets', { effect: 'status', status: 429 })
    await stage.submitDue()
    await advance('PT1H')
    const { payroll: waiting } = await stage.stored(payroll)
    expect(waiting).toMatchObject({
      state: 'submitting',
      stateText: expect.stringContaining('limits how often it is called'),
    })
    await stage.submit(payroll)
    const { submitAt } = (await stage.stored(payroll)).payroll
    const now = stage.gateway.context.clock.now()
    expect(submitAt?.since(now).total('minutes')).toBeGreaterThan(5)
    await stage.clearFaults()
    await advance('PT7M')
    expect((await stage.stored(payroll)).payroll).toMatchObject({
      state: 'submitted',
      stateText: null,
      submissionFailedSince: null,
    })
    await expectEachOnceAtBank(payroll, THREE)
  })
})

describe('a bank that is out of use', () => {
  test('delays its payrolls without an error, and is called again soon', async () => {
    const payroll = await stage.create('baskets', THREE)
    const use = async (isEnabled: boolean) => {
      await stage.sql('update banks set enabled = $2 where bic = $1', [payroll.bic, isEnabled])
      stage.gateway.passWallTime(5)
      expect((await stage.gateway.context.banks.find(payroll.bic)) !== undefined).toBe(isEnabled)
    }
    await use(false)
    try {
      await stage.submitDue()
      const { payroll: waiting } = await stage.stored(payroll)
      expect(waiting).toMatchObject({ state: 'submitting', stateText: expect.stringContaining('is not available') })
      expect(waiting.submitAt?.since(stage.gateway.context.clock.now()).total('seconds')).toBeLessThanOrEqual(10)
    } finally {
      await use(true)
    }
    await advance('PT1M')
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitted' })
  })
})

describe('the consent of a submission', () => {
  test('is not replaced by an approver’s while the bank is only unavailable: the approver may lack the permission to pay', async () => {
    const payroll = await stage.create('baskets', THREE)
    await stage.injectFault('baskets', { effect: 'status', status: 429 })
    await stage.submitDue()
    await stage.clearFaults()
    expect(await requestAs(payroll, newId())).toMatchObject({ reasonCode: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' })
    expect(await consentOf(payroll)).toBe(payroll.consentId)
    await stage.submitDue()
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitted' })
  })

  test('is not replaced while a process submits', async () => {
    const payroll = await stage.create('baskets', THREE)
    await stage.sql(
      "update payrolls set lease_until = now() + interval '1 minute', submission_needs_user = true where id = $1",
      [payroll.id],
    )
    await requestAs(payroll, newId())
    expect(await consentOf(payroll)).toBe(payroll.consentId)
  })

  test('is replaced by that of the next request where its user may not pay, and the worker continues with it', async () => {
    const payroll = await stage.create('baskets', THREE, { from: bank.viewOnly })
    await stage.submitDue()
    const { payroll: stopped } = await stage.stored(payroll)
    expect(stopped).toMatchObject({
      stateText: expect.stringContaining('does not permit the user to pay'),
      submitAt: null,
    })
    await advance('PT2H')
    expect(await stage.atBank(payroll)).toEqual([])
    const other = newId()
    await requestAs(payroll, other)
    expect(await consentOf(payroll)).toBe(other)
    // A request that comes before the worker has tried changes nothing.
    await requestAs(payroll, newId())
    expect(await consentOf(payroll)).toBe(other)
  })

  test('that has ended is waited for, and a renewal resumes the submission without a request', async () => {
    const payroll = await stage.create('baskets', THREE)
    const { consent } = await stage.callerAt('baskets')
    await stage.gateway.client.revokeConsent({ consentId: consent.id, psu: PSU })
    await stage.submitDue()
    const { payroll: now, waiting } = await stage.stored(payroll)
    expect(now).toMatchObject({ state: 'submitting', stateText: expect.stringContaining('no longer in force') })
    expect(waiting).toBe(THREE.length)
    const { bic, organizationNumber } = bank
    await acceptedWithoutBrowser(stage.gateway, bank.users[0], { bic, organizationNumber })
    await advance('PT1M')
    expect((await stage.stored(payroll)).payroll).toMatchObject({ state: 'submitted' })
  })
})
