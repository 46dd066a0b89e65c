/** Tests the access of a signer's own link: it shows no more than the company's name before identification. */
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { openFormBrowser } from '../../testing/browser/form-browser.ts'
import type { TestGateway } from '../../testing/gateway/test-gateway.ts'
import {
  type IdentityProviderFixture,
  type IdentityProviderUser,
  startGatewayWithIdentity,
} from '../../testing/identity/identity-provider-fixture.ts'
import { reopenAnswers } from '../answers/submit-onboarding.ts'
import { decideOnboarding } from '../decision/decide-onboarding.ts'
import { reviewOnboarding } from '../decision/review-onboarding.ts'
import { createSignerLink, revokeSignerLink } from '../signatures/create-signer-link.ts'
import { HOTEL, openOnboardingDriver, SHIPPING } from '../testing/onboarding-driver.ts'

const SECRETS = /example\.com|Demo partner|22 33 44 55|born \d/
/** Larger than any form of ours, and than any accepted file. */
const LARGE_BYTES = 11 * 1024 * 1024

let gateway: TestGateway
let identity: IdentityProviderFixture
let close: () => Promise<void>
let onboarder: ReturnType<typeof openOnboardingDriver>
beforeAll(async () => {
  ;({ close, gateway, identity } = await startGatewayWithIdentity())
  onboarder = openOnboardingDriver(gateway)
})
// Each test starts with the same company again.
afterEach(() => gateway.context.database.pool.query('delete from companies where onboarding_id is not null'))
afterAll(() => close())

const withoutToken = (html: string) => html.replaceAll(/name="formToken" value="[^"]+"/g, '')
const headingOf = ({ html }: { readonly html: string }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

/** A signer who has used the link. */
async function forwarded() {
  const key = await onboarder.start(HOTEL)
  const [first, second] = await onboarder.submit(key)
  if (first === undefined || second === undefined) {
    throw new Error('Two were to sign')
  }
  const link = (await createSignerLink(gateway.context, first)) ?? ''
  const browser = openFormBrowser(gateway)
  await browser.open(link)
  await browser.send(link)
  const path = `/onboarding/${key.partnerId}/${key.id}`
  return { browser, first, key, link, own: `${path}/signers/${first.id}`, path, second }
}
type Forwarded = Awaited<ReturnType<typeof forwarded>>

/** Identifies in the browser, as the expected signer unless another person is given. */
async function identify({ browser, first, own }: Forwarded, visitor?: IdentityProviderUser) {
  const words = first.name.split(' ')
  const asked = { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '', birthDate: first.birthDate }
  await browser.open(`${own}/continue`)
  const { place } = await browser.send(`${own}/identify`)
  return await browser.open((await identity.visit(place, visitor ?? asked)) ?? '')
}

/** Our cookies in a browser. */
function cookiesOf({ cookies }: { cookies(): string }): [string, string][] {
  return cookies()
    .split('; ')
    .map((cookie) => [cookie.split('=')[0] ?? '', cookie.split('=')[1] ?? ''])
}

const statusesOf = async ({ key }: Forwarded) => (await onboarder.signers(key)).map(({ status }) => status)

it('opens the signer’s own page, which shows the company’s name and nothing else', async () => {
  const { browser, own } = await forwarded()
  expect(browser.page()).toMatchObject({ status: 200, place: `${own}/continue` })
  expect(headingOf(browser.page())).toBe('Sign for Havblikk Hotell AS')
  expect(browser.page().html).not.toMatch(SECRETS)
})

it('of a partner that was disabled opens nothing, nor does a session that was started before, nor the company’s link', async () => {
  const { database, clock } = gateway.context
  const { browser, link, own } = await forwarded()
  const { url } = await onboarder.start(SHIPPING)
  await database.pool.query('update partners set disabled_at = $1', [clock.real().toString()])
  const opened = [link, url, `${own}/continue`].map(async (address) => (await browser.open(address)).status)
  expect(await Promise.all(opened)).toEqual([404, 404, 403])
  await database.pool.query('update partners set disabled_at = null')
})

it('opens no page of the users who started, and no other signer’s', async () => {
  const { browser, own, path, second } = await forwarded()
  for (const page of ['continue', 'company', 'summary', 'signatures', 'stop', `signers/${second.id}/continue`]) {
    expect((await browser.open(`${path}/${page}`)).status).toBe(403)
  }
  await browser.open(`${own}/continue`)
  for (const page of ['stop', 'signatures/change', `signers/${second.id}/refuse`, `signers/${second.id}/sign`]) {
    expect((await browser.send(`${path}/${page}`)).status).toBe(403)
  }
})

it('permits no signature without identification', async () => {
  const { browser, key, own } = await forwarded()
  const page = await browser.send(`${own}/sign`)
  expect(page.place).toBe(`${own}/continue`)
  expect(page.html).not.toMatch(SECRETS)
  expect((await onboarder.signers(key)).map(({ status }) => status)).toEqual(['Waiting', 'Waiting'])
})

it('accepts no callback that was not started', async () => {
  const { browser, own } = await forwarded()
  expect((await browser.open(`${own}/identified?code=x&state=y`)).place).toBe(`${own}/continue`)
})

it('accepts declining, with a confirmation, from a form of its own only', async () => {
  const signer = await forwarded()
  const { browser, own } = signer
  await identify(signer)
  await browser.open(`${own}/refuse`)
  expect((await browser.send(`${own}/refuse`, { formToken: '' })).status).toBe(403)
  await browser.open(`${own}/refuse`)
  expect(headingOf(await browser.send(`${own}/refuse`))).toBe('You have not signed')
  expect(await statusesOf(signer)).toEqual(['Declined', 'Waiting'])
})

it('accepts declining from no one else who has the link', async () => {
  const holder = await forwarded()
  const { browser, own } = holder
  expect(browser.page().html).not.toContain('I do not sign')
  for (const page of [await browser.open(`${own}/refuse`), await browser.send(`${own}/refuse`)]) {
    expect([page.place, headingOf(page)]).toEqual([`${own}/continue`, 'Sign for Havblikk Hotell AS'])
  }
  const stranger = { given: 'Mallory', family: 'Uventet', birthDate: '1970-01-01' }
  expect((await identify(holder, stranger)).place).toBe(`${own}/continue?status=other-person`)
  expect((await browser.send(`${own}/refuse`)).place).toBe(`${own}/continue`)
  expect(await statusesOf(holder)).toEqual(['Waiting', 'Waiting'])
})

describe('before its signer has identified', () => {
  const sign = async ({ first, second }: Forwarded) => {
    await onboarder.sign(first)
    await onboarder.sign(second)
  }

  /** The page of a signer, at first and after each of these events: the company's name, and nothing of another person. */
  async function expectAlike(happens: readonly ((signer: Forwarded) => Promise<unknown>)[]): Promise<void> {
    const signer = await forwarded()
    const { browser, link, own } = signer
    const [html, policy] = [browser.page().html, browser.page().headers.get('content-security-policy')]
    for (const happen of [async () => undefined, ...happens]) {
      await happen(signer)
      const page = await browser.open(`${own}/continue`)
      expect(withoutToken(page.html)).toBe(withoutToken(html))
      expect(page.headers.get('content-security-policy')).toBe(policy)
      const another = openFormBrowser(gateway)
      const start = await another.open(link)
      expect([start.status, headingOf(start)]).toEqual([200, 'Sign for Havblikk Hotell AS'])
      expect(headingOf(await another.send(link))).toBe('Sign for Havblikk Hotell AS')
      expect(start.html).not.toMatch(SECRETS)
    }
  }

  it('looks the same where the signer waits, has declined and has signed', () =>
    expectAlike([({ first }) => onboarder.refuse(first), ({ first }) => onboarder.sign(first)]))

  it('looks the same where the signer is the last', () => expectAlike([({ second }) => onboarder.sign(second)]))

  it.each<[string, (signer: Forwarded) => Promise<unknown>]>([
    ['accepted', async (signer) => [await sign(signer), await decideOnboarding(gateway.context, signer.key)]],
    ['cancelled', async ({ key }) => await gateway.client.cancelOnboarding({ params: { id: key.id } })],
    [
      'expired',
      async ({ key }) => {
        const text = `update onboardings set status = 'Expired', status_reason = 'SignatureExpired' where id = $1`
        await gateway.context.database.pool.query(text, [key.id])
      },
    ],
    ['taken back', async ({ first }) => await revokeSignerLink(gateway.context, 'company', first)],
  ])('opens nothing once everything was %s, and does not show which', async (_what, ends) => {
    const signer = await forwarded()
    const { browser, link, own } = signer
    await ends(signer)
    const another = openFormBrowser(gateway)
    for (const page of [
      await browser.open(link),
      await another.open(link),
      await another.post(link, new URLSearchParams()),
    ]) {
      expect([page.status, headingOf(page)]).toEqual([404, 'This link does not work'])
      expect(page.headers.get('content-security-policy')).not.toContain('erp.example')
    }
    for (const page of ['continue', 'refuse']) {
      const { html } = await browser.open(`${own}/${page}`)
      expect(html).not.toMatch(/signed|ended|accepted|thank|time is over</i)
    }
  })
})

it('shows the identified signer the outcome, and the status of the signature', async () => {
  const signer = await forwarded()
  const { browser, first, key, link, own } = signer
  await onboarder.sign(first)
  expect(headingOf(await identify(signer))).toBe('You have signed')
  await gateway.client.cancelOnboarding({ params: { id: key.id } })
  expect(headingOf(await browser.open(`${own}/continue`))).toBe('You have signed')
  expect((await browser.open(link)).status).toBe(200)
})

it('has a new token in the browser once its user has identified: the previous one opens nothing', async () => {
  const signer = await forwarded()
  const { browser, own } = signer
  const planted = openFormBrowser(gateway, new Map(cookiesOf(browser)))
  expect((await planted.open(`${own}/continue`)).status).toBe(200)
  expect(headingOf(await identify(signer))).toBe('What you sign')
  expect(headingOf(await browser.open(`${own}/continue`))).toBe('What you sign')
  const page = await planted.open(`${own}/continue`)
  expect([page.status, headingOf(page)]).toEqual([403, 'This page has expired'])
})

it('is recorded, step by step, without a name', async () => {
  const signer = await forwarded()
  const { browser, first, key, own, second } = signer
  await identify(signer)
  await browser.open(`${own}/refuse`)
  await browser.send(`${own}/refuse`)
  await createSignerLink(gateway.context, first)
  await revokeSignerLink(gateway.context, 'operator Ada', first)
  await onboarder.sign(second)
  await reopenAnswers(gateway.context, 'company', key)
  const text = 'select actor, action, detail from audit_log where subject_id = $1 order by id'
  const { rows } = await gateway.context.database.pool.query(text, [key.id])
  const told = rows.map(({ actor, action, detail }) => [actor, action, detail.signer ?? null])
  const [one, other] = [first.id, second.id]
  expect(told.slice(-8)).toEqual([
    ['company', 'onboarding submitted', null],
    ['company', 'onboarding link made', one],
    [`signer ${one}`, 'onboarding person identified', one],
    [`signer ${one}`, 'onboarding signature refused', one],
    ['company', 'onboarding link made', one],
    ['operator Ada', 'onboarding link revoked', one],
    [`signer ${other}`, 'onboarding signed', other],
    ['company', 'onboarding reopened', null],
  ])
  expect(JSON.stringify(rows)).not.toContain(first.name.split(' ').at(-1))
  expect(JSON.stringify(rows)).not.toContain(first.birthDate)
})

it('ends with its sessions when it is revoked', async () => {
  const { browser, first, link, own } = await forwarded()
  await revokeSignerLink(gateway.context, 'company', first)
  expect((await browser.open(`${own}/continue`)).status).toBe(403)
  expect(headingOf(await browser.open(link))).toBe('This link does not work')
})

it('says so when everything has ended meanwhile', async () => {
  const signer = await forwarded()
  const { browser, key, own } = signer
  await identify(signer)
  await browser.open(`${own}/refuse`)
  await gateway.client.cancelOnboarding({ params: { id: key.id } })
  expect(headingOf(await browser.send(`${own}/refuse`))).toBe('The onboarding was cancelled')
  expect(headingOf(await browser.open(`${own}/refuse`))).toBe('The onboarding was cancelled')
})

test('a file upload without a session is rejected unread', async () => {
  const { path } = await forwarded()
  const answer = await new Promise<{ readonly status: number | undefined; readonly text: string }>(
    (resolve, reject) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 1024 * 1024 }
      const sent = request(`${gateway.url}${path}/documents`, { method: 'POST', headers }, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString()
        resolve({ status: response.statusCode, text })
        sent.destroy()
      })
      sent.on('error', reject)
      // The body is never sent.
      sent.flushHeaders()
    },
  )
  expect(answer).toEqual({ status: 403, text: expect.stringContaining('This page has expired') })
})

test('a file over the size limit gets a page, and is not stored', async () => {
  const key = await onboarder.start(SHIPPING)
  const link = key.url.slice(gateway.url.length)
  const browser = openFormBrowser(gateway)
  await browser.open(link)
  await browser.send(link)
  const [signer] = await onboarder.submit(key)
  if (signer !== undefined) {
    await onboarder.sign(signer)
  }
  await decideOnboarding(gateway.context, key)
  // The answers were saved by no browser; now this one belongs to the company.
  const trusting = 'update onboarding_sessions set trusted_at = created_at where onboarding_id = $1'
  await gateway.context.database.pool.query(trusting, [key.id])
  await reviewOnboarding(gateway.context, 'test', key, { say: 'ask-for-documents', words: 'A report' })
  const path = `/onboarding/${key.partnerId}/${key.id}`
  const page = await browser.open(`${path}/documents`)
  expect(headingOf(page)).toBe('Documents that we need')
  const upload = (bytes: number, formToken: string) => {
    const form = new FormData()
    form.append('formToken', formToken)
    form.append('file', new File([`%PDF-1.7${'x'.repeat(bytes)}`], 'a.pdf'))
    return form
  }
  const token = /name="formToken" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
  expect((await browser.post(`${path}/documents`, upload(LARGE_BYTES, token))).status).toBe(413)
  expect((await browser.post(`${path}/documents`, upload(10, 'x'))).status).toBe(403)
  expect((await browser.open(`${path}/documents`)).html).not.toContain('a.pdf')
  expect((await browser.post(`${path}/documents`, upload(10, token))).html).toContain('a.pdf')
  // Files that were sent before another request do not answer it.
  await reviewOnboarding(gateway.context, 'test', key, { say: 'ask-for-documents', words: 'Another report' })
  expect((await browser.open(`${path}/documents`)).html).not.toMatch(/a\.pdf|I have sent everything/)
})
