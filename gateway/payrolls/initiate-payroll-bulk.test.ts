/** Tests bulks: all payrolls are accepted and signed together, or none remains to be signed. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture, salary } from '../testing/payrolls/payroll-fixture.ts'

const vestkyst = nordicBank(PAYROLL_BANKS.bulkOwnIds)
const [kari] = vestkyst.users
/** By the sandbox's table of outcomes. */
const REJECTED_AMOUNT = '7735.00'

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

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
