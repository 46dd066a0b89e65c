/** Browser journeys of onboarding in English and translations, with long and hostile names, and by keyboard only. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BAKERY } from '../onboarding/testing/onboarding-driver.ts'
import { textsIn } from '../page-texts/page-texts.ts'
import type { PageLanguage } from '../platform/http/pages/page-language.ts'
import { accessibilityErrors } from '../testing/browser/accessibility-checks.ts'
import { press, textOf } from '../testing/browser/browser-fixture.ts'
import type { BrowserUser } from '../testing/browser/browser-user.ts'
import { type MultiLanguageUser, openMultiLanguageUser } from '../testing/browser/multi-language-user.ts'
import {
  type OnboardingFixture,
  openOnboardingFixture,
  waitForHeading,
} from '../testing/identity/onboarding-fixture.ts'

/** Dozens of screenshots take long on a busy machine. */
const ALBUM_MILLISECONDS = 240_000
/** The width into which WCAG requires pages to fit without horizontal scrolling. */
const SMALLEST = { width: 320, height: 568 }

let stage: OnboardingFixture
beforeAll(async () => {
  stage = await openOnboardingFixture()
}, ALBUM_MILLISECONDS)
afterEach(async () => {
  expect(await stage.closeUsers()).toEqual([])
})
afterAll(() => stage.close())

test('a browser gets every page of the onboarding in its language, and each follows the accessibility rules', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const texts = textsIn('en')
  const { url } = await stage.onboarder.start({ ...BAKERY, redirectUrl: stage.partner.url })
  const languages = await openMultiLanguageUser(stage.visitor, 'onboarding-languages')
  const { user } = languages
  await user.page.goto(url)
  await seeInLanguages(languages, '1-start', (its) => ({
    heading: its.text('onboarding.start.title', { partner: 'Demo partner' }),
    buttons: [its.text('onboarding.start.begin')],
  }))
  await user.look('1-start')
  await press(user, texts.text('onboarding.start.begin'))
  await press(user, texts.text('onboarding.form.saveAndContinue'))
  await seeInLanguages(languages, '2-company', (its) => ({
    heading: its.text('onboarding.company.title'),
    labels: [its.text('onboarding.company.email'), its.text('onboarding.company.phone')],
    buttons: [its.text('onboarding.form.saveAndContinue')],
  }))
  await user.look('2-company-problems')
  await user.page.getByLabel(texts.text('onboarding.company.email')).fill('post@example.com')
  // A change of the language keeps what was typed, and Enter in a field changes none.
  await press(user, 'Svenska')
  const swedish = textsIn('sv')
  await user.page.getByRole('heading', { name: swedish.text('onboarding.company.title') }).waitFor()
  expect(await user.page.getByLabel(swedish.text('onboarding.company.email')).inputValue()).toBe('post@example.com')
  await press(user, 'English')
  await user.page.getByLabel(texts.text('onboarding.company.phone')).fill('+47 22 33 44 55')
  await user.page.getByLabel(texts.text('onboarding.company.phone')).press('Enter')
  await user.page.getByRole('heading', { name: texts.text('onboarding.owners.title') }).waitFor()
  await user.page.getByLabel(texts.text('onboarding.owners.hasOwners')).check()
  await press(user, texts.text('onboarding.owners.add'))
  await user.page.getByRole('group', { name: 'Person 2' }).getByLabel('Full name').fill('Ola')
  await press(user, texts.text('onboarding.form.saveAndContinue'))
  await user.look('3-owners-problems')
  await press(user, texts.text('onboarding.owners.remove', { position: 2 }))
  await press(user, texts.text('onboarding.form.saveAndContinue'))
  await seeInLanguages(languages, '3-owners', (its) => ({
    heading: its.text('onboarding.owners.title'),
    labels: [its.text('onboarding.form.no')],
    buttons: [its.text('onboarding.form.saveAndContinue')],
  }))
  await user.look('3-owners')
  await user.page.getByLabel(texts.text('onboarding.form.no'), { exact: true }).check()
  await press(user, texts.text('onboarding.form.saveAndContinue'))
  await seeInLanguages(languages, '4-signers', (its) => ({
    heading: its.text('onboarding.signers.title'),
    buttons: [its.text('onboarding.form.saveAndContinue')],
  }))
  await user.look('4-signers')
  await press(user, texts.text('onboarding.form.saveAndContinue'))
  await press(user, texts.text('onboarding.form.saveAndContinue'))
  await seeInLanguages(languages, '5-terms', (its) => ({
    heading: its.text('onboarding.terms.title'),
    labels: [its.text('onboarding.terms.accept')],
    buttons: [its.text('onboarding.form.saveAndContinue')],
  }))
  await user.look('5-terms')
  await user.page.getByLabel(texts.text('onboarding.terms.accept')).check()
  await press(user, texts.text('onboarding.form.saveAndContinue'))
  await seeInLanguages(languages, '6-summary', (its) => ({
    heading: its.text('onboarding.summary.title'),
    buttons: [its.text('onboarding.summary.confirm')],
  }))
  await user.look('6-summary')
  await press(user, texts.text('onboarding.summary.confirm'))
  await seeInLanguages(languages, '7-signatures', (its) => ({
    heading: its.text('onboarding.signatures.title'),
    buttons: [its.text('onboarding.signatures.makeLink', { name: 'Sigrun Fjeldstad' })],
  }))
  await user.look('7-signatures')
  let ownLink = ''
  const signatures = user.page.url()
  const makeOwnLink = async (language: PageLanguage, visitor: BrowserUser) => {
    const its = textsIn(language)
    const button = language === 'en' ? 'onboarding.signatures.makeLink' : 'onboarding.signatures.anotherLink'
    await press(visitor, its.text(button, { name: 'Sigrun Fjeldstad' }))
    ownLink = (await visitor.page.locator('.link').textContent()) ?? ''
    await waitForHeading(visitor, its.text('onboarding.signatures.title'))
  }
  await languages.see('8-link', makeOwnLink, signatures)
  await user.look('8-link')
  await user.page.goto(ownLink)
  await seeInLanguages(languages, '9-own-start', (its) => ({
    heading: its.text('onboarding.signer.title', { company: 'Fjordgløtt Bakeri AS' }),
  }))
  await user.page.goto(signatures)
  await user.page.getByRole('link', { name: texts.text('onboarding.form.continueLater') }).click()
  await user.look('10-left')
  await user.page.getByRole('link', { name: 'Continue', exact: true }).click()
  await user.page.getByRole('link', { name: texts.text('onboarding.form.cancel') }).click()
  await user.look('11-stop')
  await press(user, texts.text('onboarding.cancel.yes'))
  await waitForHeading(user, 'Back in the ERP')
  expect(stage.partner.lastStatus()).toBe('cancelled')
  await user.page.goto(url)
  await user.look('12-cancelled')
})

/** The texts of a language on a page. */
type Shown = {
  readonly heading: string
  readonly labels?: readonly string[]
  readonly buttons?: readonly string[]
}

/** The user's page in English and in the translations. */
async function seeInLanguages(
  languages: MultiLanguageUser,
  name: string,
  shownBy: (texts: ReturnType<typeof textsIn>) => Shown,
): Promise<void> {
  await languages.see(name, async (language, visitor) => {
    const { heading, labels = [], buttons = [] } = shownBy(textsIn(language))
    await waitForHeading(visitor, heading)
    for (const label of labels) {
      await visitor.page.getByLabel(label, { exact: true }).first().waitFor()
    }
    for (const button of buttons) {
      await visitor.page.getByRole('button', { name: button, exact: true }).first().waitFor()
    }
  })
}

/** The longest name shows which page does not fit. */
const PAGES = ['company', 'owners', 'signers', 'terms', 'summary', 'stop', 'later']

test.each([
  ['of the registry’s maximum length', '987654546', PAGES],
  // `flow.test.ts` shows it on the other pages.
  ['that is a script', '987654511', ['summary']],
  ['in Sami letters', '987654538', ['summary']],
])(
  'a company with a name %s breaks no page, on the smallest phone',
  { timeout: ALBUM_MILLISECONDS },
  async (_what, organizationNumber, pages) => {
    const key = await stage.onboarder.start({ country: 'NO', organizationNumber })
    const user = await stage.visitor()
    await user.page.setViewportSize(SMALLEST)
    await user.page.goto(key.url)
    await press(user, 'Begin')
    await waitForHeading(user, 'Company details')
    const name = (await user.page.locator('dd').first().textContent()) ?? ''
    await stage.onboarder.fill(key)
    // As if this browser had saved the answers.
    const trusting = 'update onboarding_sessions set trusted_at = created_at where onboarding_id = $1'
    await stage.gateway.context.database.pool.query(trusting, [key.id])
    const path = user.page.url().replace(/\/company$/, '')
    for (const page of pages) {
      await user.page.goto(`${path}/${page}`)
      expect([page, await accessibilityErrors(user.page)]).toEqual([page, []])
    }
    await user.page.goto(`${path}/summary`)
    expect(await textOf(user)).toContain(name)
  },
)

test('works by keyboard only, with the focus on the error', { timeout: ALBUM_MILLISECONDS }, async () => {
  const { url } = await stage.onboarder.start(BAKERY)
  const user = await stage.visitor()
  await user.page.goto(url)
  await byKeyboard(user, 'Begin')
  await waitForHeading(user, 'Company details')
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
  await waitForHeading(user, 'Who owns the company?')
})

async function byKeyboard(visitor: BrowserUser, name: string): Promise<void> {
  const button = visitor.page.getByRole('button', { name, exact: true })
  await button.waitFor()
  await visitor.tabTo(button)
  await visitor.page.keyboard.press('Enter')
}
