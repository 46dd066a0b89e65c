/** The main journey in a browser; others go through it without scripts, by keyboard and in translations. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BrowserUser, openBrowserUser, sharedChromium } from '../testing/browser/browser-user.ts'
import { type CallbackReceiver, openCallbackReceiver } from '../testing/browser/callback-receiver.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { domesticPayment, PSU } from '../testing/payments/sample-payments.ts'

/** Forty screenshots take long on a busy machine. */
const ALBUM_MILLISECONDS = 90_000

let gateway: TestGateway
let partner: CallbackReceiver
let browser: Browser
beforeAll(async () => {
  gateway = await startTestGateway()
  partner = await openCallbackReceiver()
  browser = await sharedChromium()
})
afterAll(async () => {
  await partner.close()
  await gateway.close()
})

describe('a user pays a supplier in a browser', () => {
  test('and returns with success, to a payment that the bank settles', { timeout: ALBUM_MILLISECONDS }, async () => {
    const visitor = await openBrowserUser(browser, { album: 'journey' })
    const consent = await startConsent()
    await visitor.page.goto(consent.link)
    await go(visitor, { name: 'consent', sign: 'Give access' })
    expect(partner.lastStatus()).toBe('success')
    expect(partner.arrivals.at(-1)?.searchParams.get('order')).toBe('20455')

    const before = await balanceOf(consent.consentId)
    const payment = await startApproval(consent.consentId)
    expect(await statusOf(payment.paymentId)).toBe('Unsigned')
    await visitor.page.goto(payment.link)
    await expectText(visitor, ['Demo partner', 'Nordlys Handel AS', 'Granli Trelast AS', 'Faktura 20455'])
    await go(visitor, { name: 'payment', sign: 'Sign payment' })
    expect(partner.lastStatus()).toBe('success')
    expect(await statusOf(payment.paymentId)).toBe('InProgress')

    await gateway.client.moveSandboxClock({ body: { advance: 'PT1H' } })
    const { finalStatus, statusHistory } = await gateway.client.getPayment({ params: { paymentId: payment.paymentId } })
    expect([finalStatus, statusHistory.map(({ status }) => status)]).toEqual([
      true,
      ['Unsigned', 'InProgress', 'Completed'],
    ])
    expect(before - (await balanceOf(consent.consentId))).toBe(1250)
    await lookAround(visitor)
    expect(visitor.complaints).toEqual([])
    await visitor.close()
  })
})

/** From our page through both of the bank's, until the user is back at the partner's website. */
async function go(
  visitor: BrowserUser,
  { name, sign }: { readonly name: string; readonly sign: string },
): Promise<void> {
  const { page, look } = visitor
  const arrived = partner.arrivals.length
  const press = async (button: string) => await page.getByRole('button', { name: button }).click()
  await look(`${name}-1-review`)
  await press('Continue to Fjordbanken')
  await page.getByRole('heading', { name: 'Log in with BankID' }).waitFor()
  await look(`${name}-2-bank-log-in`)
  await press('Continue')
  await page.getByRole('button', { name: sign }).waitFor()
  await look(`${name}-3-bank-decision`)
  await press(sign)
  await page.getByRole('heading', { name: 'Back in the ERP' }).waitFor()
  expect(partner.arrivals).toHaveLength(arrived + 1)
}

async function startConsent(): Promise<{ consentId: string; link: string }> {
  const company = (await gateway.client.listCompanies()).find(({ country }) => country === 'NO')
  const banks = await gateway.client.listBanks({ params: { countryCode: 'NO' } })
  const bank = banks.find(({ name }) => name === 'Fjordbanken')
  const { id, sca } = await gateway.client.createConsent({
    psu: PSU,
    body: {
      bic: bank?.bic ?? '',
      organizationNumber: company?.organizationNumber ?? '',
      userId: bank?.userId.example ?? '',
      callbackUrl: partner.url,
    },
  })
  return { consentId: id, link: sca.type === 'redirect' ? sca.url : '' }
}

async function startApproval(consentId: string): Promise<{ paymentId: string; link: string }> {
  const caller = { consentId, psu: PSU }
  const { accounts } = await gateway.client.listAccounts(caller)
  expect(accounts.map(({ bban }) => bban)).toContain('80501100017')
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...caller, body: domesticPayment(gateway) })
  const { sca } = await gateway.client.approvePayments({
    ...caller,
    body: { payments: [paymentId], callbackUrl: partner.url },
  })
  return { paymentId, link: sca?.type === 'redirect' ? sca.url : '' }
}

async function balanceOf(consentId: string): Promise<number> {
  const caller = { consentId, psu: PSU }
  const { accounts } = await gateway.client.listAccounts(caller)
  const account = accounts.find(({ bban }) => bban === '80501100017') ?? expect.fail('The account is not listed')
  const { bookedBalance } = await gateway.client.getAccountBalance({ ...caller, params: { accountId: account.id } })
  return Number(bookedBalance?.amount)
}

async function statusOf(paymentId: string): Promise<string> {
  return (await gateway.client.getPaymentStatus({ params: { paymentId } })).status
}

async function expectText({ page }: BrowserUser, texts: readonly string[]): Promise<void> {
  const shown = await page.locator('main').textContent()
  for (const text of texts) {
    expect(shown).toContain(text)
  }
}

/** The public pages of the sandbox bank, to which no user is redirected. */
async function lookAround({ page, look }: BrowserUser): Promise<void> {
  await page.goto(gateway.bank.pagesUrl)
  await look('bank-overview')
  await page.getByRole('link', { name: 'Driftskonto' }).first().click()
  await look('bank-account')
}
