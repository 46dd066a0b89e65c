/** Tests cancelling partly signed payments at every bank that permits cancellation by third parties. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { type NordicBank, nordicBank, testedBanks } from '../../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { fromAccount } from '../../testing/payments/payment-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

const LETS_NOBODY_CANCEL = 'LIMFDK22'

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

async function halfSigned(bank: NordicBank): Promise<string> {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
  const [paymentId = ''] = await approver.order(bank, 1, { dueDate, ...fromAccount(bank, bank.twoSigners) })
  expect(await approver.payer.sign(bank, paymentId)).toMatchObject({ statusReason: 'PartlySigned' })
  return paymentId
}

async function cancel(bank: NordicBank, paymentId: string) {
  const consent = await approver.payer.consentOf(bank)
  return await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
}

test.each(testedBanks.filter(({ bic }) => bic !== LETS_NOBODY_CANCEL))(
  'at $bic it is cancelled without a signature',
  async (bank) => {
    const paymentId = await halfSigned(bank)
    expect(await cancel(bank, paymentId)).toMatchObject({
      cancellationRequestStatus: 'ACCEPTED',
      currentPaymentStatus: { status: 'Cancelled' },
      reason: null,
    })
    expect(await approver.statuses([paymentId])).toEqual(['Cancelled'])
  },
)

test('at a bank that does not permit it the payment stays as it is', async () => {
  const bank = nordicBank(LETS_NOBODY_CANCEL)
  const paymentId = await halfSigned(bank)
  expect(await cancel(bank, paymentId)).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
  expect(await approver.statuses([paymentId])).toEqual(['PartlySigned'])
})

test('where users sign in before anything else, a signed payment is cancelled by a signature of its own', async () => {
  const bank = nordicBank('NORDSESS')
  const day = gateway.context.clock.today('Europe/Stockholm').add({ days: 5 })
  const [paymentId = ''] = await approver.order(bank, 1, { dueDate: nextBankDay(['SE'], day).toString() })
  await approver.payer.sign(bank, paymentId)
  const { id, ...requested } = await cancel(bank, paymentId)
  expect(requested).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
  const params = { cancellationId: id, decision: 'sign' } as const
  const decided = await gateway.client.decideSandboxCancellation({ params, body: { userId: bank.users[0] } })
  expect(decided).toMatchObject({ outcome: 'success' })
  expect(await approver.statuses([paymentId])).toEqual(['Cancelled'])
})
