/** Tests the terms: the accepted version is the one that was shown, signed and stored. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CATALOGUES } from '../../page-texts/page-texts.ts'
import { PAGE_LANGUAGES } from '../../platform/http/pages/page-language.ts'
import { hashToken } from '../../platform/ids.ts'
import { openFormBrowser } from '../../testing/browser/form-browser.ts'
import { type GatewayWithIdentity, startGatewayWithIdentity } from '../../testing/identity/identity-provider-fixture.ts'
import { decideOnboarding } from '../decision/decide-onboarding.ts'
import { beginSignature } from '../signatures/begin-signature.ts'
import { createSignerLink } from '../signatures/create-signer-link.ts'
import type { OnboardingKey } from '../store/onboarding.ts'
import { completeSections, TERMS_VERSION } from '../store/onboarding-answers.ts'
import { readAnswers, saveAnswers } from '../store/onboarding-answers-store.ts'
import { findOnboarding } from '../store/onboarding-store.ts'
import { HOTEL, openOnboardingDriver } from '../testing/onboarding-driver.ts'
import { documentHash, signedDocument } from './submit-onboarding.ts'

/** Of the texts of the terms in every language: a change of one is a change of the version. */
const TEXTS_OF_VERSION = { '2026-11.2': 'AWNH1a7_vjD7H8pQXkGkgjlnz8tsYJNc5_QMNUd3bnI' }
/** A version before today's. */
const EARLIER = '2025-01'

let started: GatewayWithIdentity
let onboarder: ReturnType<typeof openOnboardingDriver>
beforeAll(async () => {
  started = await startGatewayWithIdentity()
  onboarder = openOnboardingDriver(started.gateway)
})
afterEach(() => started.gateway.context.database.pool.query('delete from companies where onboarding_id is not null'))
afterAll(() => started.close())

const headingOf = ({ html }: { readonly html: string }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

async function acceptedVersion(key: OnboardingKey): Promise<string | undefined> {
  return (await readAnswers(started.gateway.context, key)).sections.Terms?.version
}

/** Stores the answers as a release with other terms stored them. */
async function asOfAnEarlierRelease(key: OnboardingKey): Promise<void> {
  const { context } = started.gateway
  const onboarding = await findOnboarding(context.database, key)
  const stored = await readAnswers(context, key)
  if (onboarding === undefined || stored.sections.Terms === undefined) {
    throw new Error('Nothing was accepted')
  }
  const at = context.clock.now()
  const sections = { ...stored.sections, Terms: { ...stored.sections.Terms, version: EARLIER } }
  const saved = { answers: { ...stored, sections }, at, tasksDone: onboarding.tasksDone }
  await saveAnswers(context, onboarding, saved)
}

/** A browser of the company; the answers were saved by no browser, and now belong to this one. */
async function browse(key: OnboardingKey & { readonly url: string }) {
  const { gateway } = started
  const browser = openFormBrowser(gateway)
  await browser.open(key.url)
  await browser.send(key.url)
  const trusting = 'update onboarding_sessions set trusted_at = created_at where onboarding_id = $1'
  await gateway.context.database.pool.query(trusting, [key.id])
  return { browser, path: `/onboarding/${key.partnerId}/${key.id}` }
}

test('the version changes with the texts', () => {
  const clauses = PAGE_LANGUAGES.map((language) => CATALOGUES[language].onboarding.terms.clauses)
  expect({ [TERMS_VERSION]: hashToken(JSON.stringify(clauses)) }).toEqual(TEXTS_OF_VERSION)
})

test('terms of an earlier version are shown and accepted again before anything is confirmed', async () => {
  const key = await onboarder.start(HOTEL)
  await onboarder.fill(key)
  await asOfAnEarlierRelease(key)
  const { browser, path } = await browse(key)
  expect((await onboarder.confirm(key)).outcome).toBe('incomplete')
  const page = await browser.open(`${path}/summary`)
  expect([page.place, headingOf(page)]).toEqual([`${path}/terms`, 'Terms'])
  expect(page.html).toContain(`Version ${TERMS_VERSION}`)
  expect(page.html).not.toContain(' checked')
  expect((await browser.send(`${path}/terms`, { accepted: 'yes' })).place).toBe(`${path}/summary`)
  expect((await onboarder.confirm(key)).outcome).toBe('submitted')
  expect(await acceptedVersion(key)).toBe(TERMS_VERSION)
})

test('terms of an earlier version cannot be signed: they are accepted again, and signed again', async () => {
  const { context } = started.gateway
  const key = await onboarder.start(HOTEL)
  const [first, second] = await onboarder.submit(key)
  if (first === undefined || second === undefined) {
    throw new Error('Two were to sign')
  }
  await onboarder.sign(first)
  const link = (await createSignerLink(context, second)) ?? ''
  await asOfAnEarlierRelease(key)
  expect(await beginSignature(context, second, { callbackUrl: 'https://erp.example/' })).toEqual({ outcome: 'closed' })
  const { browser, path } = await browse(key)
  expect((await browser.open(`${path}/signatures`)).place).toBe(`${path}/terms`)
  expect((await onboarder.signers(key)).map(({ status }) => status)).toEqual(['Revoked', 'Revoked'])
  expect((await openFormBrowser(started.gateway).open(link)).status).toBe(404)
  const text = `select actor from audit_log where subject_id = $1 and action = 'onboarding reopened'`
  expect((await context.database.pool.query(text, [key.id])).rows).toEqual([{ actor: 'havn' }])
  await browser.send(`${path}/terms`, { accepted: 'yes' })
  expect((await browser.send(`${path}/summary`)).place).toBe(`${path}/signatures`)
  expect(await acceptedVersion(key)).toBe(TERMS_VERSION)
})

test('a signer who has identified is shown no terms that were not accepted', async () => {
  const { identity, gateway } = started
  const key = await onboarder.start(HOTEL)
  const [signer] = await onboarder.submit(key)
  if (signer === undefined) {
    throw new Error('Nobody signs')
  }
  const link = (await createSignerLink(gateway.context, signer)) ?? ''
  const browser = openFormBrowser(gateway)
  await browser.open(link)
  const { place } = await browser.send(link)
  const words = signer.name.split(' ')
  const named = { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '', birthDate: signer.birthDate }
  const provider = await browser.send(place.replace(/continue$/, 'identify'))
  const page = await browser.open((await identity.visit(provider.place, named)) ?? '')
  expect(headingOf(page)).toBe('What you sign')
  await asOfAnEarlierRelease(key)
  const pages = [await browser.open(place), await browser.send(place.replace(/continue$/, 'sign'), hiddenOf(page))]
  expect(pages.map(({ status }) => status)).toEqual([404, 404])
})

test('a signature shows, covers and stores the version that was accepted', async () => {
  const { context } = started.gateway
  const key = await onboarder.start(HOTEL)
  const [signer] = await onboarder.submit(key)
  if (signer === undefined) {
    throw new Error('Nobody signs')
  }
  await beginSignature(context, signer, { callbackUrl: 'https://erp.example/' })
  const text =
    'select s.shown from sca_steps s join sca_sessions g on g.partner_id = s.partner_id and g.id = s.sca_session_id'
  const { rows } = await context.database.pool.query(`${text} where g.subject_id = $1`, [signer.id])
  expect(JSON.stringify(rows)).toContain(`"${await acceptedVersion(key)}"`)
  const [onboarding, answers] = [await findOnboarding(context.database, key), await readAnswers(context, key)]
  const sections = completeSections(answers)
  if (onboarding === undefined || sections === undefined) {
    throw new Error('It is not complete')
  }
  expect(onboarding.documentHash).toBe(documentHash(signedDocument(onboarding, answers, sections)))
  const { Terms } = sections
  const others = { ...sections, Terms: { ...Terms, version: EARLIER } }
  expect(onboarding.documentHash).not.toBe(documentHash(signedDocument(onboarding, answers, others)))
  // Birth dates and names cannot be guessed from the hash: the document has a random part.
  const { documentSalt: _random, ...guessable } = answers
  expect(onboarding.documentHash).not.toBe(documentHash(signedDocument(onboarding, guessable, sections)))
})

test('once all have signed, the accepted version stays', async () => {
  const key = await onboarder.start(HOTEL)
  for (const signer of await onboarder.submit(key)) {
    await onboarder.sign(signer)
  }
  await asOfAnEarlierRelease(key)
  const { browser, path } = await browse(key)
  await browser.open(`${path}/signatures`)
  expect((await decideOnboarding(started.gateway.context, key)).status).toBe('Accepted')
  expect(await acceptedVersion(key)).toBe(EARLIER)
})

function hiddenOf({ html }: { readonly html: string }): Record<string, string> {
  const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(html) ?? []
  return { formToken }
}
