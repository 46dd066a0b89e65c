/** Tests the sandbox panel: clock, faults of banks, and the next steps of a payment. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SandboxRejectionReason } from '../../contract/sandbox/sandbox-bank.ts'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { openSandboxControl } from '../../gateway/simulation/sandbox-control.ts'
import { openSandboxBankControl } from '../../gateway/testing/banks/sandbox-bank-control.ts'
import { signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'
import { demoPartnerId, enqueueStatusChange } from '../../gateway/testing/webhooks/enqueue-status-change.ts'

const STATUS_BY_REASON: Readonly<Record<'none' | SandboxRejectionReason, string>> = {
  none: 'Rejected',
  'daily-limit': 'Rejected',
  'account-closed': 'Rejected',
  'insufficient-funds': 'Rejected',
  returned: 'Rejected',
  'cancelled-by-bank': 'Cancelled',
}

let gateway: TestGateway
let consent: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  consent = await acceptedConsent(gateway)
})
afterEach(() => openSandboxBankControl(gateway.bank).clearFaults())
afterAll(() => gateway.close())

async function open(path = '/console/sandbox') {
  const browser = await signInAs(gateway, 'partner-developer')
  await browser.open(path)
  return browser
}

const order = async () => await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
const statusOf = async (paymentId: string) => (await gateway.client.getPaymentStatus({ params: { paymentId } })).status

describe('the clock', () => {
  it('moves by an hour, to the next bank day, to a day, and back to wall time', async () => {
    const browser = await open()
    const before = gateway.context.clock.now()
    // The user clicks twice.
    await Promise.all([0, 1].map(() => browser.send('/console/sandbox/clock', { move: 'hour' })))
    const hours = gateway.context.clock.now().since(before).total('hours')
    expect(hours).toBeGreaterThanOrEqual(1)
    expect(hours).toBeLessThan(1.1)
    const today = gateway.context.clock.today('Europe/Oslo')
    await browser.send('/console/sandbox/clock', { move: 'bankDay' })
    expect(gateway.context.clock.today('Europe/Oslo')).toEqual(
      nextBankDay(['NO', 'SE', 'DK', 'FI'], today.add({ days: 1 })),
    )
    const day = gateway.context.clock.today('Europe/Oslo').add({ days: 2 })
    const page = await browser.send('/console/sandbox/clock-date', { date: day.toString() })
    expect(textOf(page)).toContain('Business time is')
    const shown = page.html.replaceAll(/<[^>]+>/g, '')
    expect(shown).toMatch(/Business time: \d{2}\.\d{2}\.\d{4} \d{2}:\d{2} CES?T\. Requests, tasks/)
    expect(gateway.context.clock.today('Europe/Oslo')).toEqual(day)
    await browser.send('/console/sandbox/clock', { move: 'reset' })
    expect(gateway.context.clock.offsetMilliseconds()).toBe(0)
  })

  it.each(['2020-01-01', '2026-02-30', 'tomorrow', ''])(
    'does not move to %j, with an error next to the field',
    async (date) => {
      const before = gateway.context.clock.offsetMilliseconds()
      const page = await (await open()).send('/console/sandbox/clock-date', { date })
      expect(page.status).toBe(422)
      expect(page.html).toMatch(/aria-invalid="true"[\s\S]*id="clock-date-date-error">Choose a day that is not over/)
      expect(gateway.context.clock.offsetMilliseconds()).toBe(before)
    },
  )
})

describe('a fault of a bank', () => {
  it('is given by a button, and all are cleared by another one', async () => {
    const browser = await open()
    const given = await browser.send('/console/sandbox/bank-fault', { bic: 'FJORNO22', switch: 'down on' })
    expect(textOf(given)).toContain('Fjordbanken: Down.')
    await expect(order()).rejects.toMatchObject({ status: 503 })
    expect(textOf(await browser.send('/console/sandbox/clear-faults'))).toContain('All banks work again.')
    await gateway.context.banks.resetFailures()
    expect(await statusOf((await order()).paymentId)).toBe('Unsigned')
  })

  it('is a switch that shows whether it is on, and is switched off alone', async () => {
    const browser = await open()
    const pressed = (html: string) => [...html.matchAll(/value="([^"]+)" aria-pressed="true" aria-label="([^"]+)"/g)]
    for (const fault of ['down on', 'slow on', 'slow on']) {
      await browser.send('/console/sandbox/bank-fault', { bic: 'FJORNO22', switch: fault })
    }
    const both = (await browser.send('/console/sandbox/bank-fault', { bic: 'MALBSESS', switch: 'down on' })).html
    expect(pressed(both).map(([, to, label]) => `${label} ${to}`)).toEqual([
      'Fjordbanken: Down down off',
      'Fjordbanken: Slow slow off',
      'Mälarbanken: Down down off',
    ])
    const one = await browser.send('/console/sandbox/bank-fault', { bic: 'FJORNO22', switch: 'slow off' })
    expect(textOf(one)).toContain('Fjordbanken: no longer Slow.')
    expect(pressed(one.html).map(([, to, label]) => `${label} ${to}`)).toEqual([
      'Fjordbanken: Down down off',
      'Mälarbanken: Down down off',
    ])
  })

  it('that does not exist, or of an unknown bank, is rejected', async () => {
    const browser = await open()
    for (const fields of [
      { bic: 'NOBANKXX', switch: 'down on' },
      { bic: 'FJORNO22', switch: 'explode on' },
      { bic: 'FJORNO22', switch: 'down' },
    ]) {
      await browser.open('/console/sandbox')
      const page = await browser.send('/console/sandbox/bank-fault', fields)
      expect([page.status, titleOf(page)]).toEqual([400, 'Nothing was changed'])
    }
  })
})

describe('the page of a bank', () => {
  it('has its users, accounts and scripted amounts to copy', async () => {
    const { html } = await (await open()).open('/console/sandbox/banks?bic=MALBSESS')
    const copied = [...html.matchAll(/data-copy="([^"]+)"/g)].map(([, value]) => value)
    const fixture = await openSandboxControl(gateway.bank.pagesUrl).readFixture()
    const bank = fixture.banks.find(({ bic }) => bic === 'MALBSESS')
    const users = bank?.users.map(({ id }) => id) ?? []
    const accounts = bank?.accounts.map(({ bban }) => bban) ?? []
    expect([users.length > 10, accounts.length > 2, copied.includes('7702.00')]).toEqual([true, true, true])
    expect([...users, ...accounts].filter((value) => !copied.includes(value))).toEqual([])
    expect(html).toContain('Gives consent, and rejects payments.')
    expect((await (await open()).open('/console/sandbox/banks?bic=NOBANKXX')).status).toBe(422)
  })
})

describe('what is due', () => {
  it('is listed with the moves by which it happens', async () => {
    await order()
    const targetUrl = 'https://partner.example/'
    await gateway.client.createWebhookSubscription({ body: { targetUrl, eventTypes: ['PAYMENT_STATUS'] } })
    await enqueueStatusChange(gateway, await demoPartnerId(gateway))
    const [, dues = ''] = textOf(await (await open()).open('/console/sandbox')).split('Due next')
    expect(dues).toContain('webhook deliveries Now due due')
    expect(dues).toMatch(/payments? .*\d{2}\.\d{2}\.\d{4} \d{2}:\d{2}:\d{2} (due|not yet) (due|not yet)/i)
  })
})

describe('the next steps of a payment', () => {
  it.each([
    ['sign', 'InProgress'],
    ['cancel', 'Cancelled'],
  ])('are buttons on its page: %s makes it %s', async (step, status) => {
    const { paymentId } = await order()
    const browser = await open(`/console/payments/${paymentId}`)
    const page = await browser.send(`/console/payments/${paymentId}/simulate`, { step })
    expect(textOf(page)).toContain(`Status ${status}`)
    expect(await statusOf(paymentId)).toBe(status)
  })

  it.each(Object.entries(STATUS_BY_REASON))('include its rejection: %s makes it %s', async (reason, status) => {
    const { paymentId } = await order()
    const browser = await open(`/console/payments/${paymentId}`)
    const page = await browser.send(`/console/payments/${paymentId}/simulate`, { step: 'reject', reason })
    expect(textOf(page)).toContain(`Status ${status}`)
    const { rows } = await gateway.context.database.pool.query(
      'select status, status_reason, status_reason_text from payments where id = $1',
      [paymentId],
    )
    expect(rows[0].status).toBe(status)
    expect(rows[0].status_reason_text === null, reason).toBe(reason === 'none')
    expect(rows[0].status_reason === 'InsufficientFunds', reason).toBe(reason === 'insufficient-funds')
  })

  it('of a signed payment settle it; then it has none any more', async () => {
    const { paymentId } = await order()
    const browser = await open(`/console/payments/${paymentId}`)
    await browser.send(`/console/payments/${paymentId}/simulate`, { step: 'sign' })
    const page = await browser.send(`/console/payments/${paymentId}/simulate`, { step: 'settle' })
    expect(textOf(page)).toContain('Status Completed')
    expect(page.html).not.toContain('/simulate"')
  })

  it('that the bank does not permit change nothing, and the page says why', async () => {
    const { paymentId } = await order()
    const browser = await open(`/console/payments/${paymentId}`)
    for (const fields of [{ step: 'explode' }, { step: 'reject', reason: 'explode' }, { step: 'reject' }]) {
      await browser.open(`/console/payments/${paymentId}`)
      const page = await browser.send(`/console/payments/${paymentId}/simulate`, fields)
      expect([page.status, titleOf(page)]).toEqual([400, 'Nothing was changed'])
    }
    expect(await statusOf(paymentId)).toBe('Unsigned')
  })
})
