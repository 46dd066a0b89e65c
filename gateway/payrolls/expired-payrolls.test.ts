/** Tests payrolls that expired at the bank before they were signed: errors to partners name the payroll. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

const fjell = nordicBank(PAYROLL_BANKS.bulk)

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

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
