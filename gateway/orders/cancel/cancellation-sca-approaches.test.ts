/** Tests that a cancellation is signed in each SCA approach: in an app, with a confirmation code, by OAuth. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { type NordicBank, nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { fromAccount, openPaymentDriver, type PaymentDriver, toAccount } from '../../testing/payments/payment-driver.ts'
import { CALLBACK, domesticPayment, PSU } from '../../testing/payments/sample-payments.ts'

let gateway: TestGateway
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  await payer.nextMorning()
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
    await expect.poll(async () => (await browser.follow(away)).href, { timeout: 5_000 }).toContain(CALLBACK)
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
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  const order = domesticPayment(gateway, {
    ...fromAccount(bank, bank.main),
    ...toAccount(bank.supplier, bank.supplierName),
    amount: { amount: '1250.00', currency },
    remittanceInformation: { type: 'message', value: 'Order 4711' },
    dueDate: nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString(),
  })
  const { paymentId } = await client.initiateDomesticPayment({ ...consent, body: order })
  const approval = await client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
  await sign(bank, linkIn(approval), approval.id)
  expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'InProgress' })
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
