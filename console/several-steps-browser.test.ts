/** Tests in a browser what takes several steps: a newcomer's path, and two operators who resolve an unknown outcome. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsoleRole } from '../gateway/config/console-roles.ts'
import { openSandboxBankControl } from '../gateway/testing/banks/sandbox-bank-control.ts'
import { type BrowserUser, openBrowserUser, sharedChromium } from '../gateway/testing/browser/browser-user.ts'
import { signInChromium } from '../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../gateway/testing/payments/sample-payments.ts'

const DESKTOP = { width: 1280, height: 800 }
const BUTTONS = [
  'Get a token',
  'Ask for a consent',
  'Accept it as the user',
  'Subscribe the webhook inbox',
  'Order a payment',
  'Sign it as the user',
]

let gateway: TestGateway
let browser: Browser
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), sharedChromium()])
})
afterAll(async () => {
  await gateway.close()
})

test('one click signs a newcomer in, one for each step follows, and the first webhook appears', async () => {
  const user = await openBrowserUser(browser, { album: 'newcomer' })
  const { page } = user
  await page.setViewportSize(DESKTOP)
  await page.goto(`${gateway.url}/console`)
  await user.look('sign-in')
  await page.getByRole('button', { name: 'Daniel Vik' }).click()
  await user.look('first-steps')
  const signedIn = await page.locator('body').textContent()
  expect([signedIn?.includes('Daniel Vik'), signedIn?.includes('Demo partner')]).toEqual([true, true])
  for (const name of BUTTONS) {
    await page.getByRole('button', { name, exact: true }).click()
  }
  await page.locator('body').evaluate((body) => body.setAttribute('data-loaded-once', ''))
  await gateway.sweep()
  await page.locator('.steps li.done', { hasText: 'Receive the first event' }).waitFor()
  expect(await page.locator('body[data-loaded-once]').count()).toBe(1)
  expect(await page.locator('.steps li.done').count()).toBe(BUTTONS.length + 1)
  await user.look('first-steps-done')
  await page.getByRole('link', { name: 'See it in the webhook inbox' }).click()
  await page.getByText('Signature valid').first().waitFor()
  await user.look('webhook-inbox')
  await user.close()
  expect(user.complaints).toEqual([])
})

async function signIn(role: ConsoleRole): Promise<BrowserUser> {
  const user = await openBrowserUser(browser, { album: 'console' })
  await signInChromium(user, gateway, role)
  await user.page.goto(`${gateway.url}/console/tasks`)
  return user
}

/** Orders a payment whose answer from the bank is lost; returns the id under which the bank holds it. */
async function loseAnswer(): Promise<string> {
  const bank = openSandboxBankControl(gateway.bank)
  const consent = await acceptedConsent(gateway)
  await bank.injectFault({ operation: 'initiatePayment', effect: 'drop-connection', times: 1 })
  const order = gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  await expect(order).rejects.toThrow()
  return (await bank.payments()).at(-1)?.paymentId ?? ''
}

test('of an unknown outcome one operator proposes what they found, and a second one confirms it', async () => {
  const bankPaymentId = await loseAnswer()
  const [bjorn, astrid] = [await signIn('operator'), await signIn('operator-administrator')]
  await bjorn.look('tasks')
  for (const { page } of [bjorn, astrid]) {
    await page.getByRole('link', { name: 'Payment with an unknown outcome' }).click()
  }
  await bjorn.page.getByLabel('The bank has the order, under this id').check()
  await bjorn.page.getByLabel('The bank’s payment id').fill(bankPaymentId)
  await bjorn.page.getByRole('button', { name: 'Propose' }).click()
  await bjorn.page.getByText('You made this proposal').waitFor()
  await bjorn.look('task-proposed')

  await astrid.page.getByLabel('The bank never received the order').check()
  await astrid.page.getByRole('button', { name: 'Propose' }).click()
  expect(await astrid.page.getByRole('alert').textContent()).toContain('Bjørn Moe has proposed a resolution')
  await astrid.look('task-changed')
  await astrid.page.getByRole('button', { name: 'Confirm the proposal' }).click()
  await astrid.page.getByText('Resolved by').waitFor()
  await astrid.look('task-resolved')
  await astrid.page.locator('dd .id a').first().click()
  expect(await astrid.page.locator('main').textContent()).toContain(bankPaymentId)
  await astrid.page.getByRole('link', { name: 'Operator task “Payment with an unknown outcome”' }).waitFor()

  await Promise.all([bjorn.close(), astrid.close()])
  expect([...bjorn.complaints, ...astrid.complaints]).toEqual([])
})
