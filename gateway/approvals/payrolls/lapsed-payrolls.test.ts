/** Guarantees of payrolls that their bank let lapse before they were signed: what partners are told names the payroll. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { atBank } from '../../testing/at-bank.ts'
import { nordicBank } from '../../testing/nordic-banks.ts'
import { openPayrollStage, PAYROLL_BANKS, type PayrollStage } from '../../testing/payroll-stage.ts'
import { type Answer, ask, soundHeaders } from '../../testing/refusals.ts'
import { CALLBACK } from '../../testing/samples.ts'
import { startWholeGateway, type WholeGateway } from '../../testing/whole-gateway.ts'

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
