/** Measures how long a payment takes from opening the page of its approval until it is settled, in each language. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textsIn } from '../page-texts/page-texts.ts'
import { PAGE_LANGUAGES, type PageLanguage } from '../platform/http/pages/page-language.ts'
import { nordicBank, nordicBanks } from '../testing/banks/nordic-banks.ts'
import { type BrowserFixture, openBrowserFixture, press } from '../testing/browser/browser-fixture.ts'

const TIMEOUT_MILLISECONDS = 300_000
/** `HAVN_SIGNING_SECONDS=1 npm run vitest -- gateway/journeys/signing-seconds-browser.test.ts`: others show the guarantees. */
const IS_WANTED = process.env['HAVN_SIGNING_SECONDS'] === '1'
const countryByLanguage: Readonly<Record<PageLanguage, string>> = { en: 'NO', nb: 'NO', sv: 'SE', da: 'DK', fi: 'FI' }

const FJORD = nordicBank('FJORNO22')

let stage: BrowserFixture
beforeAll(async () => {
  if (IS_WANTED) {
    stage = await openBrowserFixture()
  }
})
afterAll(async () => {
  if (IS_WANTED) {
    await stage.close()
  }
})

test.runIf(IS_WANTED)(
  'a payment is signed and settled in every language',
  {
    timeout: TIMEOUT_MILLISECONDS,
  },
  async () => {
    for (const language of PAGE_LANGUAGES) {
      const country = countryByLanguage[language]
      const bank = nordicBanks.find(({ countryCode, plainPages }) => plainPages && countryCode === country) ?? FJORD
      const ids = await stage.approver.order(bank, 1)
      const { link } = await stage.createApprovalLink(bank, ids)
      const user = await stage.visitor({ language })
      const { text } = textsIn(language)
      const known = await stage.gateway.context.banks.find(bank.bic)
      const begun = performance.now()
      const seconds = () => ((performance.now() - begun) / 1000).toFixed(1)
      await user.page.goto(link)
      const name = await user.page.locator('.actions button').first().textContent()
      expect(name).toBe(text('authorisation.review.continueToBank', { bank: known?.name ?? '' }))
      const shown = seconds()
      await press(user, name ?? '')
      await press(user, 'Continue')
      await press(user, 'Sign payment')
      expect(await stage.back(user)).toBe('success')
      const signed = seconds()
      await stage.approver.payer.passUntilFinal(ids)
      expect(await stage.approver.statuses(ids)).toEqual(['Completed'])
      process.stdout.write(`${language} ${bank.bic}: page ${shown} s, signed ${signed} s, settled ${seconds()} s\n`)
    }
  },
)
