/** Journey: payrolls through the SDK in every submission mode: submitted once, signed, and every outcome reported. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PayrollApproval } from '../../contract/payrolls/payroll-approval-operations.ts'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import swedbank from '../../data/bank-profiles/swedbank.json' with { type: 'json' }
import { HavnError } from '../../sdk/index.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { visitBank } from '../testing/browser/bank-user.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { passUntil } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openApprovalDriver } from '../testing/payments/approval-driver.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture, salary } from '../testing/payrolls/payroll-fixture.ts'

const TIMEOUT_MILLISECONDS = 120_000
/** The largest basket that this bank accepts here; usually it is a hundred. */
const BASKET_MAX = 3
/** By the sandbox's table of outcomes: rejected a minute after it is signed. */
const REJECTED_AMOUNT = '7703.00'

let folder: string
let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-profiles-'))
  gateway = await startTestGateway({ settings: { HAVN_BANK_PROFILES_DIR: folder } })
  stage = openPayrollFixture(gateway)
  await acceptSmallBasketsOnly()
})
beforeEach(() => disablePaymentPolling(gateway))
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
}, TIMEOUT_MILLISECONDS)

async function acceptSmallBasketsOnly(): Promise<void> {
  const constraints = { ...swedbank.constraints, maxBasketSize: BASKET_MAX, maxPayrollSize: 2 * BASKET_MAX }
  const baskets = { ...swedbank.baskets, max: BASKET_MAX }
  const profile = { ...swedbank, name: 'small-baskets', constraints, baskets }
  await writeFile(join(folder, 'small-baskets.json'), JSON.stringify(profile))
  const { pool } = gateway.context.database
  await pool.query("update banks set profile = 'small-baskets' where bic = $1", [PAYROLL_BANKS.baskets])
  await eventually(async () => {
    expect((await gateway.context.banks.find(PAYROLL_BANKS.baskets))?.profile.baskets?.max).toBe(BASKET_MAX)
  })
}

/** On a morning on which every bank is open, with one creditor whom the bank does not pay. */
async function payrollOf(bank: NordicBank, count: number): Promise<PayrollRequest> {
  await stage.payer.nextMorning()
  const payroll = stage.payroll(bank, count)
  const unpaid = salary(bank, 9_000_000 + count, { amount: { amount: REJECTED_AMOUNT, currency: bank.currency } })
  return { ...payroll, transactions: [...payroll.transactions.slice(1), unpaid] }
}

async function approvalOf(bank: NordicBank, payrollId: string) {
  const body = { payrollId, callbackUrl: CALLBACK }
  return await gateway.client.approvePayrolls({ ...(await stage.payer.consentOf(bank)), body })
}

/**
 * Approves while a worker submits: the request waits until the bank holds every transaction; after a while the response
 * says how many it holds.
 */
async function approvalOncePlaced(bank: NordicBank, payrollId: string) {
  const submitting = stage.submit()
  const approval = await approvalDuringSubmission(bank, payrollId)
  await submitting
  return approval
}

async function approvalDuringSubmission(bank: NordicBank, payrollId: string) {
  return await eventually(async () => {
    return await approvalOf(bank, payrollId).catch((error: unknown) => {
      expect(error).toBeInstanceOf(HavnError)
      expect(error).toMatchObject({ status: 400, message: expect.stringMatching(/holds \d+ of the \d+ transactions/) })
      throw error
    })
  })
}

/** The day after the due day, when everything is settled. */
async function dayAfter({ dueDate }: PayrollRequest): Promise<void> {
  const morning = Temporal.Instant.from(`${dueDate}T08:00:00Z`).add({ hours: 24 })
  await passUntil(gateway, morning)
}

/** Every outcome, transaction by transaction, in the order of the request. */
async function expectOutcomes({ transactions }: PayrollRequest, payrollId: string): Promise<void> {
  const reported = await stage.statusOf(payrollId)
  expect(reported.transactions.map(({ endToEndId, payrollStatus }) => [endToEndId, payrollStatus])).toEqual(
    transactions.map(({ metadata, amount }) => [
      metadata.endToEndId,
      amount.amount === REJECTED_AMOUNT ? 'Rejected' : 'Completed',
    ]),
  )
  expect(reported).toMatchObject({ currentPayrollStatus: 'Completed', finalStatus: true, outcomeUnknown: false })
}

async function statusOfApproval(bank: NordicBank, approvalId: string): Promise<string> {
  const shown = await stage.payer.consentOf(bank)
  return (await gateway.client.getPayrollApproval({ ...shown, params: { approvalId } })).status
}

async function signInBrowser(bank: NordicBank, { id, sca }: PayrollApproval): Promise<void> {
  const back = await visitBank(sca?.url ?? '', { userId: bank.users[0] })
  expect(back.searchParams.get('status')).toBe('success')
  expect(await statusOfApproval(bank, id)).toBe('ACCEPTED')
}

describe('salaries are paid', () => {
  it.each([PAYROLL_BANKS.bulk, PAYROLL_BANKS.bulkOwnIds])(
    'in one order at %s, with one signature',
    async (bic) => {
      const bank = nordicBank(bic)
      const payroll = await payrollOf(bank, 4)
      const { payrollId, transactions } = await stage.order(bank, payroll)
      expect(new Set(transactions.map(({ payrollStatus }) => payrollStatus))).toEqual(new Set(['Unsigned']))
      await signInBrowser(bank, await approvalOf(bank, payrollId))
      await dayAfter(payroll)
      await expectOutcomes(payroll, payrollId)
    },
    TIMEOUT_MILLISECONDS,
  )

  it(
    'one by one, each signed in turn behind one link',
    async () => {
      const bank = nordicBank(PAYROLL_BANKS.chain)
      const payroll = await payrollOf(bank, 4)
      const { payrollId } = await stage.order(bank, payroll)
      const { id } = await approvalOncePlaced(bank, payrollId)
      const params = { approvalId: id, decision: 'sign' } as const
      const body = { userId: bank.users[0] }
      expect((await gateway.client.decideSandboxApproval({ params, body })).outcome).toBe('success')
      expect(await statusOfApproval(bank, id)).toBe('ACCEPTED')
      await dayAfter(payroll)
      await expectOutcomes(payroll, payrollId)
    },
    TIMEOUT_MILLISECONDS,
  )

  it(
    'in a basket, with one signature',
    async () => {
      const bank = nordicBank(PAYROLL_BANKS.baskets)
      const payroll = await payrollOf(bank, BASKET_MAX)
      const { payrollId } = await stage.order(bank, payroll)
      await signInBrowser(bank, await approvalOncePlaced(bank, payrollId))
      await dayAfter(payroll)
      await expectOutcomes(payroll, payrollId)
    },
    TIMEOUT_MILLISECONDS,
  )

  it(
    'in several baskets, signed one after the other behind one link',
    async () => {
      const bank = nordicBank(PAYROLL_BANKS.baskets)
      await stage.payer.nextMorning()
      const { payrollId, transactions } = await stage.order(bank, stage.payroll(bank, BASKET_MAX + 2))
      expect(transactions).toHaveLength(BASKET_MAX + 2)
      const { id, sca } = await approvalOncePlaced(bank, payrollId)
      expect(await openApprovalDriver(gateway).signChain(sca?.url ?? '', bank.users[0], 2)).toBe('success')
      expect(await statusOfApproval(bank, id)).toBe('ACCEPTED')
      await gateway.sweep()
      expect(await stage.counts(payrollId)).toEqual({ InProgress: BASKET_MAX + 2 })
    },
    TIMEOUT_MILLISECONDS,
  )
})

it('and nothing about any person is in the log', async () => {
  const log = gateway.logLines().join('\n')
  expect(log).not.toMatch(/Employee \d/)
  expect(log).not.toMatch(/2\d{4}\.50/)
})
