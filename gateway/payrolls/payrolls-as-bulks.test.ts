/** Tests payrolls that their banks hold as bulks: several together, one of thousands of transactions, and one that expired. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture, salary } from '../testing/payrolls/payroll-fixture.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('a bulk of payrolls', () => {
  const vestkyst = nordicBank(PAYROLL_BANKS.bulkOwnIds)
  const [kari] = vestkyst.users
  /** By the sandbox's table of outcomes. */
  const REJECTED_AMOUNT = '7735.00'

  let stage: PayrollFixture
  beforeAll(async () => {
    stage = openPayrollFixture(gateway)
    await stage.payer.nextMorning()
  })

  async function bulk(payrolls: readonly PayrollRequest[], bank: NordicBank = vestkyst, idempotencyKey?: string) {
    return await gateway.client.initiatePayrollBulk({
      ...(await stage.payer.consentOf(bank)),
      body: { callbackUrl: CALLBACK, payrolls: [...payrolls] },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    })
  }

  async function stored(): Promise<readonly { id: string; state: string; status: string }[]> {
    const { rows } = await gateway.context.database.pool.query('select id, state, status from payrolls order by id')
    return rows
  }

  describe('a bulk', () => {
    it('is accepted, signed behind the one link in the response, and read by its id', async () => {
      const requested = [stage.payroll(vestkyst, 2), stage.payroll(vestkyst, 3)]
      const answer = await bulk(requested)
      expect(answer.status).toBe('STARTED')
      expect(answer.sca?.redirect).toMatchObject({ type: 'redirect', url: expect.stringContaining('/signing/') })
      expect(answer.payrolls.map(({ transactions }) => transactions.map(({ endToEndId }) => endToEndId))).toEqual(
        requested.map(({ transactions }) => transactions.map(({ metadata }) => metadata.endToEndId)),
      )
      const { outcome } = await gateway.client.decideSandboxApproval({
        params: { approvalId: answer.id, decision: 'sign' },
        body: { userId: kari },
      })
      expect(outcome).toBe('success')
      const approval = await gateway.client.getPayrollApproval({
        ...(await stage.payer.consentOf(vestkyst)),
        params: { approvalId: answer.id },
      })
      expect(approval.status).toBe('ACCEPTED')
      expect(approval.payrolls?.map(({ payrollId }) => payrollId)).toEqual(
        answer.payrolls.map(({ payrollId }) => payrollId),
      )
      for (const { payrollId, transactions } of answer.payrolls) {
        expect(await stage.counts(payrollId)).toEqual({ InProgress: transactions.length })
      }
    })

    test('repeated under its key returns the same response, and is ordered once', async () => {
      const requested = [stage.payroll(vestkyst, 1), stage.payroll(vestkyst, 1)]
      const first = await bulk(requested, vestkyst, 'bulk-1')
      const before = await stored()
      expect(await bulk(requested, vestkyst, 'bulk-1')).toEqual(first)
      expect(await stored()).toEqual(before)
    })

    it('of which the bank rejects one is rejected, and what the bank accepted of it is cancelled', async () => {
      const before = (await stored()).length
      const rejected = salary(vestkyst, 900_000, { amount: { amount: REJECTED_AMOUNT, currency: vestkyst.currency } })
      const requested = [stage.payroll(vestkyst, 2), stage.payroll(vestkyst, 1, { transactions: [rejected] })]
      await expect(bulk(requested)).rejects.toMatchObject({
        status: 422,
        validationErrors: [{ path: expect.stringMatching(/^\.payrolls\[1\]\.transactions\[0\]/) }],
      })
      await gateway.sweep()
      expect((await stored()).slice(before)).toEqual([{ id: expect.any(String), state: 'failed', status: 'Cancelled' }])
    })

    it('whose approval cannot start is rejected, and cancelled', async () => {
      const before = (await stored()).length
      const control = openSandboxBankControl(gateway.bank)
      await control.postControl('/faults', {
        ...{ bank: vestkyst.bic, operation: 'startPaymentAuthorisation' },
        ...{ effect: 'status', status: 503, times: 1 },
      })
      await expect(bulk([stage.payroll(vestkyst, 1)])).rejects.toMatchObject({ status: 503 })
      await control.clearFaults()
      await gateway.context.banks.resetFailures()
      await gateway.sweep()
      expect((await stored()).slice(before)).toMatchObject([{ state: 'failed', status: 'Cancelled' }])
    })

    it.each([['at a bank that takes none', nordicBank(PAYROLL_BANKS.bulk)]])('is rejected %s', async (_where, bank) => {
      const before = await stored()
      await expect(bulk([stage.payroll(bank, 1)], bank)).rejects.toMatchObject({
        status: 400,
        failure: 'UNSUPPORTED_PRODUCT_BY_BANK',
      })
      expect(await stored()).toEqual(before)
    })
  })

  test('a partner without an agreement gets the error that no bank supports bulks', async () => {
    await gateway.context.database.pool.query('update partners set payroll_bulk = false')
    await expect(bulk([stage.payroll(vestkyst, 1)])).rejects.toMatchObject({ failure: 'UNSUPPORTED_PRODUCT_BY_BANK' })
    await gateway.context.database.pool.query('update partners set payroll_bulk = true')
  })
})

describe('a payroll of thousands of transactions', () => {
  const bank = nordicBank(PAYROLL_BANKS.bulk)
  /** Several times what is stored, sent and listed at once; the long form has as many as a bank may take. */
  const PAYOUTS = Number(process.env['HAVN_LARGE_PAYROLL'] ?? 1_200)

  let stage: PayrollFixture
  beforeAll(async () => {
    stage = openPayrollFixture(gateway)
    await stage.payer.nextMorning()
  })

  test('is accepted in one request, and each of its transactions reaches a final status', async () => {
    const payroll = stage.payroll(bank, PAYOUTS)
    // The account holds enough for that.
    const amount = { amount: '12.34', currency: bank.currency }
    const requested = { ...payroll, transactions: payroll.transactions.map((payout) => ({ ...payout, amount })) }
    const { payrollId, transactions } = await stage.order(bank, requested)
    expect(transactions).toHaveLength(PAYOUTS)
    expect(await stage.sign(bank, [payrollId])).toBe('success')
    await passTime(gateway, 'PT120H')
    expect(await stage.counts(payrollId)).toEqual({ Completed: PAYOUTS })
  }, 120_000)
})

describe('a payroll that expired before it was signed', () => {
  const fjell = nordicBank(PAYROLL_BANKS.bulk)

  let stage: PayrollFixture
  beforeAll(async () => {
    stage = openPayrollFixture(gateway)
    await stage.payer.nextMorning()
  })
  afterAll(() => openSandboxBankControl(gateway.bank).clearFaults())

  async function approve(payrollId: string): Promise<Answer> {
    const headers = await validHeaders(gateway, (await stage.payer.consentOf(fjell)).consentId)
    return await sendRawRequest(gateway, ['POST', '/api/v2/payroll/approve'], {
      headers,
      body: { payrollId, callbackUrl: CALLBACK },
    })
  }

  it('a payroll whose resubmission was not answered is named in the error, and its orders are not', async () => {
    const { payrollId } = await stage.order(fjell, stage.payroll(fjell, 2))
    const control = openSandboxBankControl(gateway.bank)
    const injectFault = (operation: string, fault: object) =>
      control.postControl('/faults', { bank: fjell.bic, operation, ...fault })
    await injectFault('getBulkPaymentStatus', { effect: 'status', status: 404 })
    await injectFault('cancelBulkPayment', { effect: 'status', status: 404 })
    await injectFault('initiateBulkPayment', { effect: 'drop-connection', times: 1 })
    // Once to find that it is gone, and once long enough afterwards.
    await passTime(gateway, 'PT2M')
    await passTime(gateway, 'PT10M')
    const answer = await approve(payrollId)
    expect(answer).toMatchObject({
      status: 503,
      body: { payrollId, message: expect.stringContaining('Poll the payroll named here') },
    })
    expect(answer.body).not.toHaveProperty('paymentId')
  })
})
