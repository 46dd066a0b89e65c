/** Browser journeys of onboarding: with one or several persons, interruptions, rejections and documents. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { decideOnboarding } from '../onboarding/decision/decide-onboarding.ts'
import { reviewOnboarding } from '../onboarding/decision/review-onboarding.ts'
import type { OnboardingKey } from '../onboarding/store/onboarding.ts'
import { BAKERY, HOTEL, SHIPPING } from '../onboarding/testing/onboarding-driver.ts'
import { press, textOf } from '../testing/browser/browser-fixture.ts'
import type { BrowserUser } from '../testing/browser/browser-user.ts'
import {
  decideAtProvider,
  type OnboardingFixture,
  openOnboardingFixture,
  waitForHeading,
} from '../testing/identity/onboarding-fixture.ts'

/** A complete onboarding with a screenshot of each page takes long on a busy machine. */
const ALBUM_MILLISECONDS = 240_000
const ALBUM = 'onboarding'
const BEGIN = 'Begin'
const SAVE = 'Save and continue'
const CONFIRM = 'Everything is right, continue to the signatures'

let stage: OnboardingFixture
beforeAll(async () => {
  stage = await openOnboardingFixture()
}, ALBUM_MILLISECONDS)
afterEach(async () => {
  expect(await stage.closeUsers()).toEqual([])
})
afterAll(() => stage.close())

const startWith = async (requested: { readonly country: string; readonly organizationNumber: string }) =>
  await stage.onboarder.start({ ...requested, redirectUrl: stage.partner.url })

async function isBack({ page }: BrowserUser): Promise<string | null> {
  await page.getByRole('heading', { name: 'Back in the ERP' }).waitFor()
  return new URL(page.url()).searchParams.get('status')
}

async function fillCompany({ page }: BrowserUser): Promise<void> {
  await page.getByLabel('E-mail address').fill('post@example.com')
  await page.getByLabel('Phone number').fill('+47 22 33 44 55')
}

async function acceptTerms(visitor: BrowserUser): Promise<void> {
  await visitor.page.getByLabel('I have read the terms').check()
  await press(visitor, SAVE)
}

/** From the company's page to the signatures, with the registry's data. */
async function writeEverything(visitor: BrowserUser): Promise<void> {
  await fillCompany(visitor)
  await press(visitor, SAVE)
  await waitForHeading(visitor, 'Who owns the company?')
  for (const box of await visitor.page.getByRole('group', { name: 'politically exposed' }).all()) {
    await box.getByLabel('No', { exact: true }).check()
  }
  await press(visitor, SAVE)
  await waitForHeading(visitor, 'Who signs?')
  await visitor.page.getByRole('radio').first().check()
  await press(visitor, SAVE)
  await waitForHeading(visitor, 'Terms')
  await acceptTerms(visitor)
  await press(visitor, CONFIRM)
  await waitForHeading(visitor, 'Signatures')
}

/** The same with answers that were saved without a browser, as if this one had saved them. */
async function skipToSignatures(visitor: BrowserUser, key: OnboardingKey): Promise<void> {
  await waitForHeading(visitor, 'Company details')
  await stage.onboarder.fill(key)
  const trusting = 'update onboarding_sessions set trusted_at = created_at where onboarding_id = $1'
  await stage.gateway.context.database.pool.query(trusting, [key.id])
  await visitor.page.goto(visitor.page.url().replace(/\/company$/, '/summary'))
  await press(visitor, CONFIRM)
  await waitForHeading(visitor, 'Signatures')
}

test('a person who signs alone onboards the company, without scripts: leaves, resumes and goes back', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const key = await startWith(BAKERY)
  const user = await stage.visitor({ javaScript: false })
  await user.page.goto(key.url)
  await waitForHeading(user, 'Get started with Demo partner')
  await press(user, BEGIN)
  await fillCompany(user)
  await press(user, SAVE)
  await user.page.goto('about:blank')
  await user.page.goto(key.url)
  await press(user, 'Continue')
  await waitForHeading(user, 'Who owns the company?')
  await user.page.goBack()
  await user.page.goForward()
  await user.page.getByRole('link', { name: 'Back' }).click()
  expect(await user.page.getByLabel('E-mail address').inputValue()).toBe('post@example.com')
  await writeEverything(user)
  await press(user, 'Sigrun Fjeldstad signs here')
  await press(user, 'Continue to BankID')
  await decideAtProvider(user, 'Sigrun Fjeldstad', 'Sign')
  expect(await isBack(user)).toBe('success')
  expect((await stage.onboarder.status(key)).status).toBe('Accepted')
  const companies = await stage.gateway.client.listCompanies()
  expect(companies.find(({ onboardingId }) => onboardingId === key.id)).toMatchObject({ services: ['AIS', 'PIS'] })
  await user.page.goto(key.url)
  await waitForHeading(user, 'Everything is ready')
})

test('a signer follows a link: identifies, declines, is invited again, and signs; a revoked link opens nothing', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const key = await startWith(HOTEL)
  const turid = await stage.visitor({ album: ALBUM })
  await turid.page.goto(key.url)
  await press(turid, BEGIN)
  await skipToSignatures(turid, key)
  const makeLink = async (name: RegExp) => {
    await turid.page.getByRole('button', { name }).first().click()
    return (await turid.page.locator('.link').textContent()) ?? ''
  }
  const link = await makeLink(/^Create a link for Bjørnar Lie-Hagen/)

  const bjornar = await stage.visitor({ album: ALBUM })
  await bjornar.page.goto(link)
  expect(await textOf(bjornar)).toContain('Havblikk Hotell AS')
  expect(await textOf(bjornar)).not.toMatch(/example\.com|Demo partner|Turid|Bjørnar/)
  await bjornar.look('21-own-start')
  await press(bjornar, 'Continue')
  await bjornar.look('22-identify')
  expect(await textOf(bjornar)).not.toMatch(/example\.com|Demo partner|Turid|Bjørnar|Decline to sign/)
  await press(bjornar, 'Identify yourself')
  await decideAtProvider(bjornar, 'Kari Nordmann', 'Identify')
  await bjornar.page.getByText('belongs to someone other').waitFor()
  expect(await textOf(bjornar)).not.toMatch(/example\.com|Demo partner|Turid|Bjørnar/)
  await bjornar.look('23-somebody-else')
  await press(bjornar, 'Identify yourself')
  await decideAtProvider(bjornar, 'Bjørnar Lie-Hagen', 'Identify')
  await waitForHeading(bjornar, 'What you sign')
  expect(await textOf(bjornar)).toContain('post@example.com')
  await bjornar.look('24-own-summary')
  await bjornar.page.getByRole('link', { name: 'Decline to sign' }).click()
  await bjornar.look('31-refuse')
  await press(bjornar, 'Yes, decline')
  await waitForHeading(bjornar, 'You have not signed')
  await bjornar.look('32-refused')

  await turid.page.getByRole('link', { name: 'See who has signed' }).click()
  await turid.page.getByText('Declined to sign.').waitFor()
  await turid.look('33-refused-seen')
  const again = await makeLink(/^Ask .* again$/)
  await bjornar.page.goto(again)
  await press(bjornar, 'Continue')
  await waitForHeading(bjornar, 'Sign for Havblikk Hotell AS')
  await turid.page
    .getByRole('button', { name: /^Revoke the link of/ })
    .first()
    .click()
  await turid.page.getByText('no longer works').waitFor()
  await turid.look('34-taken-back')
  await bjornar.page.reload()
  await waitForHeading(bjornar, 'This page has expired')
  await bjornar.look('35-old')
  await bjornar.page.goto(again)
  await waitForHeading(bjornar, 'This link does not work')
  await bjornar.look('36-nowhere')

  await bjornar.page.goto(await makeLink(/^Create a link for Bjørnar Lie-Hagen/))
  await press(bjornar, 'Continue')
  await press(bjornar, 'Identify yourself')
  await decideAtProvider(bjornar, 'Bjørnar Lie-Hagen', 'Identify')
  await press(bjornar, 'Sign')
  await press(bjornar, 'Continue to BankID')
  await decideAtProvider(bjornar, 'Bjørnar Lie-Hagen', 'Decline')
  await bjornar.page.getByText('Nothing was signed').waitFor()
  await press(bjornar, 'Sign')
  await press(bjornar, 'Continue to BankID')
  await decideAtProvider(bjornar, 'Bjørnar Lie-Hagen', 'Sign')
  await waitForHeading(bjornar, 'You have signed')
  await bjornar.look('25-signed')
  await turid.page.getByRole('link', { name: 'See who has signed' }).click()
  await turid.page.getByText('Signed.', { exact: true }).waitFor()
})

test('a case for manual review: documents are requested and uploaded, and it is approved', {
  timeout: ALBUM_MILLISECONDS,
}, async () => {
  const { gateway, onboarder } = stage
  const key = await startWith(SHIPPING)
  const user = await stage.visitor({ album: ALBUM })
  await user.page.goto(key.url)
  await press(user, BEGIN)
  await skipToSignatures(user, key)
  for (const signer of await onboarder.signers(key)) {
    await onboarder.sign(signer)
  }
  await decideOnboarding(gateway.context, key)
  await user.page.goto(key.url)
  await press(user, 'Continue')
  await waitForHeading(user, 'We are reviewing it')
  await user.look('41-looking')
  const words = 'The latest annual report, <b>signed</b>.'
  await reviewOnboarding(gateway.context, 'test', key, { say: 'ask-for-documents', words })
  await user.page.reload()
  await waitForHeading(user, 'Documents that we need')
  expect(await textOf(user)).toContain(words)
  await user.look('42-documents')
  await press(user, 'Send the file')
  await user.page.getByText('Choose a file first.').first().waitFor()
  const folder = await mkdtemp(join(tmpdir(), 'havn-files-'))
  const file = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content)
    await user.page.getByLabel('Choose a file').setInputFiles(join(folder, name))
    await press(user, 'Send the file')
  }
  await file('program.pdf', 'MZ not a document')
  await user.page.getByText('This is not a PDF').first().waitFor()
  await user.look('43-wrong-kind')
  await file('large.pdf', Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(5 * 1024 * 1024)]))
  await user.page.getByText('larger than 5 MB').first().waitFor()
  await file('Årsregnskap <2025>.pdf', '%PDF-1.7 of a report')
  await user.page.getByText('Årsregnskap <2025>.pdf').waitFor()
  await user.look('44-received')

  const stranger = await stage.visitor({ album: ALBUM })
  await stranger.page.goto(key.url)
  await press(stranger, 'Continue')
  await waitForHeading(stranger, 'Started in another browser')
  await stranger.look('45-elsewhere')
  expect(await textOf(stranger)).not.toContain('annual report')
  await press(stranger, 'Identify yourself')
  await decideAtProvider(stranger, 'Eivind Nybø', 'Identify')
  await waitForHeading(stranger, 'Documents that we need')

  // An identified user replaces sessions of browsers without identification.
  await user.page.reload()
  await waitForHeading(user, 'Started in another browser')
  await press(stranger, 'I have sent everything')
  await waitForHeading(stranger, 'We are reviewing it')
  await reviewOnboarding(gateway.context, 'test', key, { say: 'accept' })
  await stranger.page.reload()
  await waitForHeading(stranger, 'Everything is ready')
  await stranger.look('46-accepted')
  expect((await onboarder.status(key)).status).toBe('Accepted')
  await rm(folder, { recursive: true })
})
