/** Tests notifications from banks: they give no access, and trigger a poll only now and then. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../testing/browser/bank-user.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
let kari: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  kari = await acceptedConsent(gateway)
})
afterAll(() => gateway.close())

type Addresses = { readonly hint: string; readonly back: string }

/** The notification URLs that the bank received for an approval whose user is present. */
async function left(): Promise<Addresses & { readonly id: string }> {
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  const { id, sca } = await gateway.client.approvePayments({ ...kari, body })
  await openBrowser().post(sca?.type === 'redirect' ? sca.url : '', {})
  const { rows } = await gateway.context.database.pool.query<Addresses>(
    'select (select notification_uri from sandbox_bank.payments order by id desc limit 1) as hint, redirect_uri as back from sandbox_bank.authorisations order by id desc limit 1',
  )
  const [addresses] = rows
  if (addresses === undefined) {
    throw new Error('The bank was asked for no authorisation')
  }
  return { id, ...addresses }
}

/** Whether the poll of the SCA session is due at once. */
async function isDue(approvalId: string): Promise<boolean> {
  const { rows } = await gateway.context.database.pool.query<{ dueAt: Temporal.Instant }>(
    'select due_at as "dueAt" from sca_sessions where subject_id = $1',
    [approvalId],
  )
  const [row] = rows
  return row !== undefined && Temporal.Instant.compare(row.dueAt, gateway.context.clock.now()) <= 0
}

const post = (address: string) => fetch(address, { method: 'POST' })

it('a notification triggers one poll of the bank at once, and fifteen trigger one in ten seconds', async () => {
  const { id, hint } = await left()
  expect(await isDue(id)).toBe(false)
  await post(hint)
  expect(await isDue(id)).toBe(true)
  await gateway.sweep()
  expect(await isDue(id)).toBe(false)
  for (let times = 0; times < 15; times += 1) {
    expect((await post(hint)).status).toBe(204)
  }
  expect(await isDue(id)).toBe(false)
  await gateway.context.database.pool.query(
    "update sca_sessions set bank_notified_at = bank_notified_at - interval '11 seconds'",
  )
  await post(hint)
  expect(await isDue(id)).toBe(true)
})

it('the notification URI is no callback for browsers, and the callback URI accepts no notification', async () => {
  const { id, hint, back } = await left()
  const notificationToken = new URL(hint).pathname.split('/').at(-1) ?? ''
  const backToken = new URL(back).pathname.split('/').at(-1) ?? ''
  expect((await fetch(back.replace(backToken, notificationToken))).status).toBe(404)
  await post(hint.replace(notificationToken, backToken))
  expect(await isDue(id)).toBe(false)
})

it('an order is polled when its bank notifies the URI of an authorisation that has ended', async () => {
  const payer = openPaymentDriver(gateway)
  const bank = nordicBank('FJORNO22')
  const { paymentId } = await payer.order(bank)
  expect(await payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
  const { pool } = gateway.context.database
  // Without a notification nothing is polled for an hour.
  const { rows } = await pool.query<{ bankPaymentId: string }>(
    'update payments set bank_notified_at = null, poll_at = $2::timestamptz + interval \'1 hour\' where id = $1 returning bank_payment_id as "bankPaymentId"',
    [paymentId, gateway.context.clock.now().toString()],
  )
  const [order] = rows
  await openSandboxBankControl(gateway.bank).postControl(`/payments/${order?.bankPaymentId}/settle`)
  await eventually(async () => {
    await gateway.sweep()
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Completed' })
  })
})
