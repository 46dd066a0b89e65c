/** Tests that a cancellation is signed in each SCA approach, in an app, with a confirmation code, by OAuth, and that of a partly signed payment not at all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTestedAmong } from '../../../sandbox/testing/tested-banks.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { type NordicBank, nordicBank, nordicBanks } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { fromAccount, toAccount } from '../../testing/payments/payment-driver.ts'
import { CALLBACK, domesticPayment, PSU } from '../../testing/payments/sample-payments.ts'

const LETS_NOBODY_CANCEL = 'LIMFDK22'
/** One answers a cancellation with 200 and never requires a signature; the other one with 204, and requires one once all have signed. */
const DISTINCT = ['AURAFIHH', 'FJORNO22']

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
afterAll(() => gateway.close())

/** Follows our link as the user does, on the bank's pages or in its app, and approves. */
async function sign(bank: NordicBank, link: string, subjectId: string): Promise<URL> {
  const [userId] = bank.users
  const browser = openBrowser()
  await browser.get(link)
  const away = await browser.post(link, {})
  if (away.startsWith(gateway.url)) {
    await openSandboxBankControl(gateway.bank).postControl(`/authorisations/${await authorisationOf(subjectId)}/sign`)
    await expect.poll(async () => (await browser.follow(away)).href).toContain(CALLBACK)
    return await browser.follow(away)
  }
  const { href } = await browser.follow(away)
  await browser.get(href)
  await browser.post(href, { userId })
  return await browser.follow(await browser.post(href, { decision: 'approve' }))
}

async function authorisationOf(subjectId: string): Promise<string> {
  const { rows } = await gateway.context.database.pool.query(
    `select t.authorisation_id as id from sca_steps t
     join sca_sessions s on s.partner_id = t.partner_id and s.id = t.sca_session_id
     where s.subject_id = $1 and t.state = 'open'`,
    [subjectId],
  )
  return rows[0].id
}

const dueLater = () => {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  return nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
}

const linkIn = ({ sca }: { sca?: { type: string; url?: string } }) => sca?.url ?? ''

async function signedDueLater(
  bank: NordicBank,
): Promise<{ paymentId: string; consent: object & { consentId: string } }> {
  const { client } = gateway
  const { bic, organizationNumber, users, currency } = bank
  const requested = { bic, organizationNumber, userId: users[0], callbackUrl: CALLBACK }
  const started = await client.createConsent({ psu: PSU, body: requested })
  await sign(bank, linkIn(started), started.id)
  const consent = { consentId: started.id, psu: PSU }
  const order = domesticPayment(gateway, {
    ...fromAccount(bank, bank.main),
    ...toAccount(bank.supplier, bank.supplierName),
    amount: { amount: '1250.00', currency },
    remittanceInformation: { type: 'message', value: 'Order 4711' },
    dueDate: dueLater(),
  })
  const { paymentId } = await client.initiateDomesticPayment({ ...consent, body: order })
  const approval = await client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
  await sign(bank, linkIn(approval), approval.id)
  expect(await approver.payer.statusOf(paymentId)).toMatchObject({ status: 'InProgress' })
  return { paymentId, consent }
}

test.each([
  ['KATTDK22', 'in the user’s app'],
  ['PAIJFIHH', 'with a confirmation code'],
  ['ELVANO22', 'by OAuth'],
])('at %s a cancellation is signed %s', async (bic) => {
  const bank = nordicBank(bic)
  const { paymentId, consent } = await signedDueLater(bank)
  const requested = await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
  expect(requested).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
  const back = await sign(bank, linkIn(requested), requested.id)
  expect(back.href).toBe(`${CALLBACK}?status=success`)
  expect(await gateway.client.getPaymentCancellation({ ...consent, params: { id: requested.id } })).toMatchObject({
    cancellationRequestStatus: 'ACCEPTED',
    currentPaymentStatus: { status: 'Cancelled' },
    reason: null,
  })
})

async function halfSigned(bank: NordicBank): Promise<string> {
  const [paymentId = ''] = await approver.order(bank, 1, { dueDate: dueLater(), ...fromAccount(bank, bank.twoSigners) })
  expect(await approver.payer.sign(bank, paymentId)).toMatchObject({ statusReason: 'PartlySigned' })
  return paymentId
}

async function cancel(bank: NordicBank, paymentId: string) {
  const consent = await approver.payer.consentOf(bank)
  return await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
}

test('where users sign in before anything else, a signed payment is cancelled by a signature of its own', async () => {
  const bank = nordicBank('NORDSESS')
  const [paymentId = ''] = await approver.order(bank, 1, { dueDate: dueLater() })
  await approver.payer.sign(bank, paymentId)
  const { id, ...requested } = await cancel(bank, paymentId)
  expect(requested).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
  const params = { cancellationId: id, decision: 'sign' } as const
  const decided = await gateway.client.decideSandboxCancellation({ params, body: { userId: bank.users[0] } })
  expect(decided).toMatchObject({ outcome: 'success' })
  expect(await approver.statuses([paymentId])).toEqual(['Cancelled'])
})

describe('a partly signed payment', () => {
  test.each(nordicBanks.filter(({ bic }) => bic !== LETS_NOBODY_CANCEL && isTestedAmong(DISTINCT, bic)))(
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

  test('at a bank that does not permit it it stays as it is', async () => {
    const bank = nordicBank(LETS_NOBODY_CANCEL)
    const paymentId = await halfSigned(bank)
    expect(await cancel(bank, paymentId)).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
    expect(await approver.statuses([paymentId])).toEqual(['PartlySigned'])
  })
})
