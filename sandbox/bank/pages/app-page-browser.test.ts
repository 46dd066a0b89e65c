/** Tests the simulated app in a browser without scripts, including its layout and accessibility. */
import { expect, test } from 'vitest'
import { openBrowserUser, sharedChromium } from '../../../gateway/testing/browser/browser-user.ts'
import { bankTestClient } from '../../testing/bank-test-client.ts'
import { startTestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

/** A browser has to start, and every page is checked in four variants. */
const PATIENCE_MILLISECONDS = 120_000

test('a QR code is pasted, the order read and signed', { timeout: PATIENCE_MILLISECONDS }, async () => {
  const tested = await startTestBank()
  const browser = await sharedChromium()
  try {
    const { bank, tpp, place } = bankTestClient(() => tested, 'VASASESS')
    const payment = `${bank.payments}/${(await place()).text('paymentId')}`
    const headers = { ...headersOf(bank), 'TPP-Redirect-Preferred': 'false' }
    const started = await tpp.send('POST', `${payment}/authorisations`, { body: {}, headers })
    const visitor = await openBrowserUser(browser, { javaScript: false, album: 'sandbox-app' })
    const { page } = visitor
    await page.goto(`${tested.bank.pagesUrl}/app`)
    const field = page.getByLabel('Scan a code')
    await visitor.tabTo(field)
    await field.fill('bankid.nonsense')
    await page.keyboard.press('Enter')
    await visitor.look('unknown-code')
    await field.fill(started.text('challengeData.data.0'))
    await page.getByRole('button', { name: 'Scan' }).click()
    await visitor.look('who')
    await page.getByRole('button', { name: 'Continue' }).click()
    await visitor.look('what')
    await page.getByRole('button', { name: 'Sign payment' }).click()
    expect(await page.getByRole('status').textContent()).toBe('Signed.')
    // Seconds later the bank has settled it.
    expect((await tpp.send('GET', `${payment}/status`)).text('transactionStatus')).toMatch(/^ACS[PC]$/)
    await visitor.look('signed')
    expect(visitor.complaints).toEqual([])
    await visitor.close()
  } finally {
    await tested.close()
  }
})
