/** Our pages in the languages that browsers ask for: worded and marked, whole on a phone, by keyboard, with long names. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PAGE_LANGUAGES, type PageLanguage } from '../foundation/http/page-language.ts'
import { textsIn } from '../signing/texts/texts-in.ts'
import { openStage, press, type Stage, textOf } from '../testing/browser-stage.ts'
import type { Visitor } from '../testing/chromium-visitor.ts'
import { nordicBank } from '../testing/nordic-banks.ts'
import { faultsOfPage } from '../testing/page-judge.ts'
import { toAccount } from '../testing/payer.ts'

/** Dozens of pictures take their time on a busy machine. */
const ALBUM_MILLISECONDS = 90_000
const FJORD = nordicBank('FJORNO22')
const KATTEGAT = nordicBank('KATTDK22')
const VESTKYST = nordicBank('VSKYNO22')
/** What a browser says by itself in each country. */
const localeByLanguage: Readonly<Record<PageLanguage, string>> = {
  en: 'en-GB',
  nb: 'nb-NO',
  sv: 'sv-SE',
  da: 'da-DK',
  fi: 'fi-FI',
}
/** Names as long as partners may give them, of words that do not end. */
const LONG_PARTNER = 'Regnskapsførerkompanietsamvirkelaget for Nordvestlandet og omegn SA'
const LONG_RECEIVER = 'Järjestelmällistyttämättömyydellänsäkäänköhän Osuuskunta Oy Ab Ltd.'

/** What WCAG asks pages to fit into without scrolling sideways. */
const SMALLEST = { width: 320, height: 568 }

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterEach(async () => {
  expect(await stage.letGo()).toEqual([])
})
afterAll(() => stage.close())

test.each(PAGE_LANGUAGES)(
  'a browser that reads %s gets every page of the way in it',
  { timeout: ALBUM_MILLISECONDS },
  async (language) => {
    const texts = textsIn(language)
    const user = await stage.visitor({ album: 'languages', language: localeByLanguage[language] })
    const see = async (name: string, heading: string) => {
      await user.page.getByRole('heading', { name: heading, exact: true }).waitFor()
      expect(await user.page.locator('html').getAttribute('lang')).toBe(language)
      await user.look(`${language}-${name}`)
    }
    const { link } = await stage.askApproval(FJORD, await stage.approver.order(FJORD, 2))
    await user.page.goto(link)
    await see('1-review', texts.title({ kind: 'approval', count: 2 }))
    await press(user, texts.review.continueToBank('Fjordbanken'))
    await press(user, 'Continue')
    await stage.approver.control.strike({ operation: 'getPaymentScaStatus', effect: 'status', status: 503 })
    await press(user, 'Sign payment')
    await see('2-waiting', texts.waiting.title)
    await stage.approver.control.heal()
    await see('3-next', texts.next.title(1, 2))
    await press(user, texts.next.leaveRest)
    expect(await stage.back(user)).toBe('cancelled')
    await user.page.goto(link)
    await see('4-result', texts.result.title.cancelled)

    await user.page.goto((await stage.askConsent(KATTEGAT)).link)
    await see('5-consent', texts.title({ kind: 'consent', count: 1 }))
    await press(user, texts.review.continueInApp)
    await see('6-app', texts.app.title)
    await press(user, texts.review.cancel)
    expect(await stage.back(user)).toBe('cancelled')
  },
)

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
      await user.page.goto((await stage.askApproval(VESTKYST, ids)).link)
      await user.look(name)
      await user.page.setViewportSize(SMALLEST)
      expect(await faultsOfPage(user.page)).toEqual([])
      const shown = await textOf(user)
      expect(shown).toContain(LONG_PARTNER)
      expect(shown).toContain(LONG_RECEIVER)
      await press(user, textsIn('fi').review.cancel)
      expect(await stage.back(user)).toBe('cancelled')
    }
  } finally {
    await pool.query("update partners set name = 'Demo partner' where name = $1", [LONG_PARTNER])
  }
})

test('a chain, and a code in the app, by keyboard alone', async () => {
  const ids = await stage.approver.order(FJORD, 2)
  const user = await stage.visitor()
  await user.page.goto((await stage.askApproval(FJORD, ids)).link)
  await byKeyboard(user, 'Continue to Fjordbanken')
  await byKeyboard(user, 'Continue')
  await byKeyboard(user, 'Sign payment')
  await byKeyboard(user, 'Continue to Fjordbanken')
  await byKeyboard(user, 'Continue')
  await byKeyboard(user, 'Sign payment')
  expect(await stage.back(user)).toBe('success')
  expect(await stage.approver.statuses(ids)).toEqual(['InProgress', 'InProgress'])

  await user.page.goto((await stage.askConsent(KATTEGAT)).link)
  await byKeyboard(user, 'Continue in your app')
  await user.page.getByRole('heading', { name: 'Sign in your app' }).waitFor()
  const phone = await stage.visitor()
  await phone.page.goto(`${stage.gateway.bank.pagesUrl}/app`)
  await byKeyboard(phone, /^Give access/)
  await byKeyboard(phone, 'Continue')
  await byKeyboard(phone, 'Give access')
  expect(await stage.back(user)).toBe('success')
})

async function byKeyboard(visitor: Visitor, name: string | RegExp): Promise<void> {
  const button = visitor.page.getByRole('button', { name, exact: typeof name === 'string' }).first()
  await button.waitFor()
  await visitor.tabTo(button)
  await visitor.page.keyboard.press('Enter')
}
