/** Tests the actions on a payment's page: cancelling it for a user, and sending its events again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { nordicBank } from '../../gateway/testing/banks/nordic-banks.ts'
import { visitBank } from '../../gateway/testing/browser/bank-user.ts'
import { signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { openPaymentDriver, type PaymentDriver } from '../../gateway/testing/payments/payment-driver.ts'
import { startWebhookGateway, type WebhookGateway } from '../../gateway/testing/webhooks/webhook-gateway.ts'

const FJORD = nordicBank('FJORNO22')

let webhooks: WebhookGateway
let payer: PaymentDriver
beforeAll(async () => {
  webhooks = await startWebhookGateway()
  payer = openPaymentDriver(webhooks.gateway)
  await payer.nextMorning()
})
afterAll(() => webhooks.close())

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await webhooks.gateway.context.database.pool.query(text, [...values])).rows

type Role = Parameters<typeof signInAs>[1]

async function dueLater(): Promise<string> {
  const day = webhooks.gateway.context.clock.today('Europe/Oslo').add({ days: 5 })
  return (await payer.order(FJORD, { dueDate: nextBankDay(['NO'], day).toString() })).paymentId
}

/** Opens the page of a payment as a user who then presses buttons there. */
async function openPayment(id: string, role: Role = 'operator') {
  const browser = await signInAs(webhooks.gateway, role)
  const path = `/console/payments/${id}`
  const page = await browser.open(path)
  const [, consent = ''] = /<option value="([^"]+)"/.exec(page.html) ?? []
  return {
    page,
    cancel: () => browser.send(`${path}/cancel`, { consent }),
    resend: () => browser.send(`${path}/resend-events`),
    reload: () => browser.open(path),
  }
}

const auditOf = (id: string, action: string) =>
  sql('select actor, detail from audit_log where subject_id = $1 and action = $2', [id, action])

describe('a payment is cancelled', () => {
  it('for the user of a consent, as over the API, and the audit log says by whom', async () => {
    const id = await dueLater()
    const cancellation = await (await openPayment(id, 'partner-finance')).cancel()
    expect(titleOf(cancellation)).toBe('Cancellation')
    expect(textOf(cancellation)).toMatch(/Status ACCEPTED .*Cancelled/)
    const [entry] = await auditOf(id, 'payment cancellation asked')
    expect(entry.actor).toBe('user Eva Sund (sandbox partner-finance)')
    const { page } = await openPayment(id)
    expect(textOf(page)).toContain('This payment cannot be cancelled: The payment is already Cancelled.')
    expect(page.html).not.toContain(`${id}/cancel"`)
  })

  it('once, however often the button is pressed', async () => {
    const id = await dueLater()
    const open = await openPayment(id)
    const pages = await Promise.all([open.cancel(), open.cancel()])
    expect(new Set(pages.map(({ place }) => place)).size).toBe(1)
    expect(await auditOf(id, 'payment cancellation asked')).toMatchObject([
      { actor: 'operator Bjørn Moe (sandbox operator)' },
    ])
  })

  it('by the signature of its user where the bank requires one: the link is shown, and leads back to a page of ours', async () => {
    const id = await dueLater()
    await payer.sign(FJORD, id)
    const cancellation = await (await openPayment(id)).cancel()
    expect(textOf(cancellation)).toMatch(/Status AUTHORIZATION_REQUIRED .*The user must sign/)
    const { page } = await openPayment(id)
    expect(textOf(page)).toContain('A cancellation of this payment is in progress.')
    const [, link = ''] = /<p class="link">([^<]+)<\/p>/.exec(cancellation.html) ?? []
    const back = await visitBank(link, { userId: FJORD.users[0] })
    expect(await (await fetch(back)).text()).toContain('Your signature was received.')
    const signed = textOf(await (await signInAs(webhooks.gateway, 'operator')).open(cancellation.place))
    expect(signed).toMatch(
      /Status ACCEPTED .*Authorisation of the cancellation: signed User •+45 · SCA status finalised/,
    )
    expect(signed).not.toContain('The user must sign')
  })

  it('only in the state in which the user has seen it', async () => {
    const id = await dueLater()
    const open = await openPayment(id)
    await payer.sign(FJORD, id)
    const answer = await open.cancel()
    expect([answer.status, textOf(answer)]).toEqual([
      409,
      expect.stringContaining('the state was Unsigned when you opened this page, and is InProgress now'),
    ])
    expect(await sql('select from cancellations where payment_id = $1', [id])).toEqual([])
  })

  it.each([
    [{ outcome: 'unknown' }, 'It is unknown whether the bank accepted the payment.'],
    [{ status: 'Completed' }, 'The payment is already Completed.'],
    [{ organisationNumber: '999999999' }, 'No user who may pay from the account has a consent in force at the bank.'],
  ])('never where its state forbids it, and the page says why: %j', async (changes, reason) => {
    const [id = ''] = await storePayments(webhooks.gateway, 1, { ...changes, prefix: JSON.stringify(changes) })
    const { page, cancel } = await openPayment(id)
    expect(textOf(page)).toContain(`This payment cannot be cancelled: ${reason}`)
    expect(page.html).not.toContain(`${id}/cancel"`)
    expect((await cancel()).status).toBe(409)
  })

  it('only with the permission to act', async () => {
    const id = await dueLater()
    for (const role of ['operator-reader', 'partner-developer'] as const) {
      const { page, cancel } = await openPayment(id, role)
      expect(page.html).not.toContain(`${id}/cancel"`)
      expect((await cancel()).status).toBe(403)
    }
  })
})

describe('the events of a payment', () => {
  it('are sent again once, however often the button is pressed, and its story shows both deliveries', async () => {
    await webhooks.subscribe('/again')
    const id = await dueLater()
    await payer.sign(FJORD, id)
    await webhooks.gateway.sweep()
    const open = await openPayment(id, 'partner-finance')
    const queued = expect.stringContaining('One delivery was queued again.')
    expect((await Promise.all([open.resend(), open.resend()])).map(textOf)).toEqual([queued, queued])
    const second = await open.resend()
    expect([second.status, textOf(second)]).toEqual([409, expect.stringContaining('they still wait to be delivered')])
    await webhooks.gateway.sweep()
    expect(webhooks.receiver.received.filter(({ path }) => path === '/again')).toHaveLength(2)
    expect(textOf(await open.reload()).match(/Event \S+: Delivered/g)).toHaveLength(2)
    expect(await auditOf(id, 'webhook events replayed')).toMatchObject([
      { actor: 'user Eva Sund (sandbox partner-finance)', detail: { events: 1, deliveries: 1 } },
      { detail: { deliveries: 0 } },
    ])
  })

  it('are not sent where there are none', async () => {
    const [id = ''] = await storePayments(webhooks.gateway, 1, { prefix: 'SILENT' })
    expect(textOf(await (await openPayment(id)).resend())).toContain('this payment has no events')
  })
})
