/** Tests in a browser how two operators resolve a payment whose outcome at the bank is unknown. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConsoleRole } from '../../gateway/config/console-roles.ts'
import { openSandboxBankControl } from '../../gateway/testing/banks/sandbox-bank-control.ts'
import { type BrowserUser, openBrowserUser, sharedChromium } from '../../gateway/testing/browser/browser-user.ts'
import { signInChromium } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'

let gateway: TestGateway
let browser: Browser
beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startTestGateway(), sharedChromium()])
})
afterAll(async () => {
  await gateway.close()
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
  return (await bank.payments())[0]?.paymentId ?? ''
}

test('one operator proposes what they found, and a second one confirms it', async () => {
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
