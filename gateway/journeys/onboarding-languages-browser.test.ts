/** The pages of onboarding in the languages that browsers ask for, with long and hostile names, and by keyboard alone. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PAGE_LANGUAGES, type PageLanguage } from '../foundation/http/page-language.ts'
import { textsIn } from '../onboarding/pages/texts/texts-in.ts'
import { BAKERY } from '../onboarding/testing/onboarder.ts'
import { press, textOf } from '../testing/browser-stage.ts'
import type { Visitor } from '../testing/chromium-visitor.ts'
import { type OnboardingStage, openOnboardingStage, seeHeading } from '../testing/onboarding-stage.ts'
import { faultsOfPage } from '../testing/page-judge.ts'

/** Dozens of pictures take their time on a busy machine. */
const ALBUM_MILLISECONDS = 240_000
/** What WCAG asks pages to fit into without scrolling sideways. */
const SMALLEST = { width: 320, height: 568 }
/** What a browser says by itself in each country. */
const localeByLanguage: Readonly<Record<PageLanguage, string>> = {
  en: 'en-GB',
  nb: 'nb-NO',
  sv: 'sv-SE',
  da: 'da-DK',
  fi: 'fi-FI',
}

let stage: OnboardingStage
beforeAll(async () => {
  stage = await openOnboardingStage()
}, ALBUM_MILLISECONDS)
afterEach(async () => {
  expect(await stage.letGo()).toEqual([])
})
afterAll(() => stage.close())

test.each(PAGE_LANGUAGES)(
  'a browser that reads %s gets every page of the way in it',
  { timeout: ALBUM_MILLISECONDS },
  async (language) => {
    const texts = textsIn(language)
    const { url } = await stage.onboarder.start(BAKERY)
    const user = await stage.visitor({ album: 'onboarding-languages', language: localeByLanguage[language] })
    const see = async (name: string, heading: string) => {
      await seeHeading(user, heading)
      expect(await user.page.locator('html').getAttribute('lang')).toBe(language)
      await user.look(`${language}-${name}`)
    }
    await user.page.goto(url)
    await see('1-start', texts.start.title('Demo partner'))
    await press(user, texts.start.begin)
    await press(user, texts.goOn)
    await see('2-company', texts.company.title)
    await user.page.getByLabel(texts.company.email).fill('post@example.com')
    await user.page.getByLabel(texts.company.phone).fill('+47 22 33 44 55')
    await press(user, texts.goOn)
    await press(user, texts.goOn)
    await see('3-owners', texts.owners.title)
    await user.page.getByLabel(texts.no, { exact: true }).check()
    await press(user, texts.goOn)
    await see('4-signers', texts.signers.title)
    await press(user, texts.goOn)
    await press(user, texts.goOn)
    await see('5-terms', texts.terms.title)
    await user.page.getByLabel(texts.terms.accept).check()
    await press(user, texts.goOn)
    await see('6-summary', texts.summary.title)
    await press(user, texts.summary.confirm)
    await press(user, texts.signatures.makeLink('Sigrun Fjeldstad'))
    await see('7-signatures', texts.signatures.title)
    await user.page.goto((await user.page.locator('.link').textContent()) ?? '')
    await see('8-own-start', texts.ownSignature.title('Fjordgløtt Bakeri AS'))
  },
)

test.each([
  ['of the registry’s longest', '987654546'],
  ['that is a script', '987654511'],
  ['in Sami letters', '987654538'],
])(
  'a company with a name %s breaks no page, on the smallest phone',
  { timeout: ALBUM_MILLISECONDS },
  async (_what, organizationNumber) => {
    const key = await stage.onboarder.start({ country: 'NO', organizationNumber })
    const user = await stage.visitor()
    await user.page.setViewportSize(SMALLEST)
    await user.page.goto(key.url)
    await press(user, 'Begin')
    await seeHeading(user, 'Company details')
    const name = (await user.page.locator('dd').first().textContent()) ?? ''
    await stage.onboarder.fill(key)
    // As if this browser had written it.
    const trusting = 'update onboarding_sessions set trusted_at = created_at where onboarding_id = $1'
    await stage.gateway.context.database.pool.query(trusting, [key.id])
    const path = user.page.url().replace(/\/company$/, '')
    for (const page of ['company', 'owners', 'signers', 'terms', 'summary', 'stop', 'later']) {
      await user.page.goto(`${path}/${page}`)
      expect([page, await faultsOfPage(user.page)]).toEqual([page, []])
    }
    await user.page.goto(`${path}/summary`)
    expect(await textOf(user)).toContain(name)
  },
)

test('by keyboard alone, and with the focus on what is wrong', { timeout: ALBUM_MILLISECONDS }, async () => {
  const { url } = await stage.onboarder.start(BAKERY)
  const user = await stage.visitor()
  await user.page.goto(url)
  await byKeyboard(user, 'Begin')
  await seeHeading(user, 'Company details')
  await user.tabTo(user.page.getByLabel('E-mail address'))
  await user.page.keyboard.type('nobody')
  await user.page.keyboard.press('Enter')
  await user.page.getByRole('alert').waitFor()
  expect(await user.page.evaluate('document.activeElement.className')).toBe('summary')
  await user.page.keyboard.press('Tab')
  await user.page.keyboard.press('Enter')
  expect(await user.page.evaluate('document.activeElement.name')).toBe('email')
  await user.page.keyboard.press('Control+A')
  await user.page.keyboard.type('post@example.com')
  await user.page.keyboard.press('Tab')
  await user.page.keyboard.type('+47 22 33 44 55')
  await byKeyboard(user, 'Save and continue')
  await seeHeading(user, 'Who owns the company?')
})

async function byKeyboard(visitor: Visitor, name: string): Promise<void> {
  const button = visitor.page.getByRole('button', { name, exact: true })
  await button.waitFor()
  await visitor.tabTo(button)
  await visitor.page.keyboard.press('Enter')
}
