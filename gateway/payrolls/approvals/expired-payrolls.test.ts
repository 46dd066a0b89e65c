/** Guarantees of payrolls that their bank let lapse before they were signed: what partners are told names the payroll. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { atBank } from '../../testing/banks/sandbox-bank-control.ts'
import { type Answer, ask, soundHeaders } from '../../testing/contract/send-raw-request.ts'
import { startWholeGateway, type WholeGateway } from '../../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'
import { openPayrollStage, PAYROLL_BANKS, type PayrollStage } from '../../testing/payrolls/payroll-fixture.ts'

const fjell = nordicBank(PAYROLL_BANKS.bulk)

let gateway: WholeGateway
let stage: PayrollStage
beforeAll(async () => {
  gateway = await startWholeGateway()
  stage = openPayrollStage(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

async function approve(payrollId: string): Promise<Answer> {
  const headers = await soundHeaders(gateway, (await stage.payer.consentOf(fjell)).consentId)
  return await ask(gateway, ['POST', '/api/v2/payroll/approve'], {
    headers,
    body: { payrollId, callbackUrl: CALLBACK },
  })
}

it('one whose placing again was not answered is named, and no order of it is', async () => {
  const { payrollId } = await stage.order(fjell, stage.payroll(fjell, 2))
  const control = atBank(gateway.bank)
  const strike = (operation: string, fault: object) => control.tell('/faults', { bank: fjell.bic, operation, ...fault })
  await strike('getBulkPaymentStatus', { effect: 'status', status: 404 })
  await strike('cancelBulkPayment', { effect: 'status', status: 404 })
  await strike('initiateBulkPayment', { effect: 'drop-connection', times: 1 })
  await gateway.client.moveSandboxClock({ body: { advance: 'PT10M' } })
  const answer = await approve(payrollId)
  expect(answer).toMatchObject({
    status: 503,
    body: { payrollId, message: expect.stringContaining('Follow the payroll named here') },
  })
  expect(answer.body).not.toHaveProperty('paymentId')
})
