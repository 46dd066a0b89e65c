/** Tests the sandbox panel: clock, faults of banks, and the next steps of a payment. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { openSandboxBankControl } from '../../gateway/testing/banks/sandbox-bank-control.ts'
import { signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterEach(() => openSandboxBankControl(gateway.bank).clearFaults())
afterAll(() => gateway.close())

async function open(path = '/console/sandbox') {
  const browser = await signInAs(gateway, 'partner-developer')
  await browser.open(path)
  return browser
}

const order = async () => {
  const consent = await acceptedConsent(gateway)
  return await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
}
const statusOf = async (paymentId: string) => (await gateway.client.getPaymentStatus({ params: { paymentId } })).status

describe('the clock', () => {
  it('moves by an hour, to the next bank day, to a day, and back to wall time', async () => {
    const browser = await open()
    const before = gateway.context.clock.now()
    await browser.send('/console/sandbox/clock', { move: 'hour' })
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
      expect(page.html).toMatch(/aria-invalid="true"[\s\S]*id="clock-date-error">Choose a day that is not over/)
      expect(gateway.context.clock.offsetMilliseconds()).toBe(before)
    },
  )
})

describe('a fault of a bank', () => {
  it('is given by a button, and all are cleared by another one', async () => {
    const consent = await acceptedConsent(gateway)
    const browser = await open()
    const given = await browser.send('/console/sandbox/bank-fault', { bic: 'FJORNO22', effect: 'down' })
    expect(textOf(given)).toContain('Fjordbanken: Down.')
    await expect(
      gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) }),
    ).rejects.toMatchObject({ status: 503 })
    expect(textOf(await browser.send('/console/sandbox/clear-faults'))).toContain('All banks work again.')
    await gateway.context.banks.resetFailures()
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    expect(await statusOf(paymentId)).toBe('Unsigned')
  })

  it('that does not exist, or of an unknown bank, is rejected', async () => {
    const browser = await open()
    for (const fields of [
      { bic: 'NOBANKXX', effect: 'down' },
      { bic: 'FJORNO22', effect: 'explode' },
    ]) {
      await browser.open('/console/sandbox')
      const page = await browser.send('/console/sandbox/bank-fault', fields)
      expect([page.status, titleOf(page)]).toEqual([400, 'Nothing was changed'])
    }
  })
})

describe('the next steps of a payment', () => {
  it.each([
    ['sign', 'InProgress'],
    ['reject', 'Rejected'],
    ['cancel', 'Cancelled'],
  ])('are buttons on its page: %s makes it %s', async (step, status) => {
    const { paymentId } = await order()
    const browser = await open(`/console/payments/${paymentId}`)
    const page = await browser.send(`/console/payments/${paymentId}/simulate`, { step })
    expect(textOf(page)).toContain(`Status ${status}`)
    expect(await statusOf(paymentId)).toBe(status)
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
    const page = await browser.send(`/console/payments/${paymentId}/simulate`, { step: 'explode' })
    expect([page.status, titleOf(page)]).toEqual([400, 'Nothing was changed'])
    expect(await statusOf(paymentId)).toBe('Unsigned')
  })
})
