/** Browser journeys through our pages in English and translations, on a phone, by keyboard only, and with long names. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { textsIn } from '../page-texts/page-texts.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { accessibilityErrors } from '../testing/browser/accessibility-checks.ts'
import { type BrowserFixture, openBrowserFixture, press, textOf } from '../testing/browser/browser-fixture.ts'
import type { BrowserUser } from '../testing/browser/browser-user.ts'
import { layoutErrors } from '../testing/browser/layout-checks.ts'
import { type MultiLanguageUser, openMultiLanguageUser } from '../testing/browser/multi-language-user.ts'
import { toAccount } from '../testing/payments/payment-driver.ts'

/** Dozens of screenshots take long on a busy machine. */
const ALBUM_MILLISECONDS = 90_000
const FJORD = nordicBank('FJORNO22')
const KATTEGAT = nordicBank('KATTDK22')
const VESTKYST = nordicBank('VSKYNO22')
/** Names of the maximum length, of words without spaces. */
const LONG_PARTNER = 'Regnskapsførerkompanietsamvirkelaget for Nordvestlandet og omegn SA'
const LONG_RECEIVER = 'Järjestelmällistyttämättömyydellänsäkäänköhän Osuuskunta Oy Ab Ltd.'

/** The width into which WCAG requires pages to fit without horizontal scrolling. */
const SMALLEST = { width: 320, height: 568 }

let stage: BrowserFixture
beforeAll(async () => {
  stage = await openBrowserFixture()
})
afterEach(async () => {
  expect(await stage.closeUsers()).toEqual([])
})
afterAll(() => stage.close())

test('a browser gets every page of the signing in its language', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const languages = await openMultiLanguageUser(stage.visitor, 'languages')
  const { user } = languages
  const texts = textsIn('en')
  const { link } = await stage.createApprovalLink(FJORD, await stage.approver.order(FJORD, 2))
  await user.page.goto(link)
  await seeInLanguages(languages, '1-review', (its) => ({
    heading: its.text('authorisation.title.approval', { count: 2 }),
    buttons: [its.text('authorisation.review.continueToBank', { bank: 'Fjordbanken' })],
  }))
  await press(user, texts.text('authorisation.review.continueToBank', { bank: 'Fjordbanken' }))
  await press(user, 'Continue')
  await stage.approver.control.injectFault({ operation: 'getPaymentScaStatus', effect: 'status', status: 503 })
  await press(user, 'Sign payment')
  await seeInLanguages(languages, '2-waiting', (its) => ({
    heading: its.text('authorisation.waiting.title'),
    buttons: [],
  }))
  await stage.approver.control.clearFaults()
  await seeInLanguages(languages, '3-next', (its) => ({
    heading: its.text('authorisation.next.title', { done: 1, total: 2 }),
    buttons: [its.text('authorisation.next.leaveRest')],
  }))
  await press(user, texts.text('authorisation.next.leaveRest'))
  expect(await stage.back(user)).toBe('cancelled')
  await user.page.goto(link)
  await seeInLanguages(languages, '4-result', (its) => ({
    heading: its.text('authorisation.result.title.cancelled'),
    buttons: [],
  }))

  await user.page.goto((await stage.createConsentLink(KATTEGAT)).link)
  await seeInLanguages(languages, '5-consent', (its) => ({
    heading: its.text('authorisation.title.consent', { count: 1 }),
    buttons: [its.text('authorisation.review.continueInApp')],
  }))
  await press(user, texts.text('authorisation.review.continueInApp'))
  await seeInLanguages(languages, '6-app', (its) => ({
    heading: its.text('authorisation.app.title'),
    buttons: [its.text('authorisation.review.cancel')],
  }))
  await press(user, texts.text('authorisation.review.cancel'))
  expect(await stage.back(user)).toBe('cancelled')
})

/** The user's page in English and in the translations. */
async function seeInLanguages(
  languages: MultiLanguageUser,
  name: string,
  shownBy: (texts: ReturnType<typeof textsIn>) => { readonly heading: string; readonly buttons: readonly string[] },
): Promise<void> {
  await languages.see(name, async (language, { page }) => {
    const { heading, buttons } = shownBy(textsIn(language))
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    for (const button of buttons) {
      await page.getByRole('button', { name: button, exact: true }).waitFor()
    }
  })
}

test('long names break no page, at any width', { timeout: ALBUM_MILLISECONDS }, async () => {
  const { pool } = stage.gateway.context.database
  const changes = {
    ...toAccount(VESTKYST.supplier, LONG_RECEIVER),
    remittanceInformation: { type: 'message', value: 'Sopimussakkomenettelytapakäsikirjasto'.repeat(3) } as const,
    amount: { amount: '123456.78', currency: 'NOK' },
  }
  const few = await stage.approver.order(VESTKYST, 1, changes)
  const many = await stage.approver.order(VESTKYST, 6, changes)
  await pool.query("update partners set name = $1 where name = 'Demo partner'", [LONG_PARTNER])
  try {
    const user = await stage.visitor({ album: 'languages', language: 'fi-FI' })
    for (const [name, ids] of [
      ['long-names', few],
      ['long-list', many],
    ] as const) {
      const { id, link } = await stage.createApprovalLink(VESTKYST, ids)
      await user.page.goto(link)
      await user.look(name)
      expect(await layoutErrors(user.page)).toEqual([])
      await user.page.setViewportSize(SMALLEST)
      expect(await accessibilityErrors(user.page)).toEqual([])
      const shown = await textOf(user)
      expect(shown).toContain(LONG_PARTNER)
      expect(shown).toContain(LONG_RECEIVER)
      await press(user, textsIn('fi').text('authorisation.review.cancel'))
      expect(await stage.back(user)).toBe('cancelled')
      expect((await stage.approver.read(VESTKYST, id)).status).toBe('CANCELLED')
    }
  } finally {
    await pool.query("update partners set name = 'Demo partner' where name = $1", [LONG_PARTNER])
  }
})

test('a chain, and a code in the app, by keyboard only', async () => {
  const ids = await stage.approver.order(FJORD, 2)
  const user = await stage.visitor()
  await user.page.goto((await stage.createApprovalLink(FJORD, ids)).link)
  await byKeyboard(user, 'Continue to Fjordbanken')
  await byKeyboard(user, 'Continue')
  await byKeyboard(user, 'Sign payment')
  await byKeyboard(user, 'Continue to Fjordbanken')
  await byKeyboard(user, 'Continue')
  await byKeyboard(user, 'Sign payment')
  expect(await stage.back(user)).toBe('success')
  expect(await stage.approver.statuses(ids)).toEqual(['InProgress', 'InProgress'])

  await user.page.goto((await stage.createConsentLink(KATTEGAT)).link)
  await byKeyboard(user, 'Continue in your app')
  await user.page.getByRole('heading', { name: 'Sign in your app' }).waitFor()
  const phone = await stage.visitor()
  await phone.page.goto(`${stage.gateway.bank.pagesUrl}/app`)
  await byKeyboard(phone, /^Give access/)
  await byKeyboard(phone, 'Continue')
  await byKeyboard(phone, 'Give access')
  expect(await stage.back(user)).toBe('success')
})

async function byKeyboard(visitor: BrowserUser, name: string | RegExp): Promise<void> {
  const button = visitor.page.getByRole('button', { name, exact: typeof name === 'string' }).first()
  await button.waitFor()
  await visitor.tabTo(button)
  await visitor.page.keyboard.press('Enter')
}
