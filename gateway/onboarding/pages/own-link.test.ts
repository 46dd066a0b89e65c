/** Tests what a signer's own link opens, and what it does not: nobody sees more than the company's name before identifying. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { openFormBrowser } from '../../testing/form-browser.ts'
import { startWholeGateway, type WholeGateway } from '../../testing/whole-gateway.ts'
import { decideOnboarding } from '../decide-onboarding.ts'
import { forwardToSigner, revokeSignerLink } from '../forward-to-signer.ts'
import { reviewOnboarding } from '../review-onboarding.ts'
import { HOTEL, openOnboarder, SHIPPING } from '../testing/onboarder.ts'

const SECRETS = /example\.com|Demo partner|22 33 44 55|born \d/
/** More than any form of ours, and more than any file that is taken. */
const LARGE_BYTES = 11 * 1024 * 1024

let gateway: WholeGateway
let onboarder: ReturnType<typeof openOnboarder>
beforeAll(async () => {
  gateway = await startWholeGateway()
  onboarder = openOnboarder(gateway)
})
afterAll(() => gateway.close())

const headingOf = ({ html }: { readonly html: string }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

/** A signer who has used the link. */
async function forwarded() {
  const key = await onboarder.start(HOTEL)
  const [first, second] = await onboarder.submit(key)
  if (first === undefined || second === undefined) {
    throw new Error('Two were to sign')
  }
  const link = (await forwardToSigner(gateway.context, first)) ?? ''
  const browser = openFormBrowser(gateway)
  await browser.open(link)
  await browser.send(link)
  const path = `/onboarding/${key.partnerId}/${key.id}`
  return { browser, first, key, link, own: `${path}/signers/${first.id}`, path, second }
}

it('opens the signer’s own page, which names the company and nothing else', async () => {
  const { browser, own } = await forwarded()
  expect(browser.page()).toMatchObject({ status: 200, place: `${own}/continue` })
  expect(headingOf(browser.page())).toBe('Sign for Havblikk Hotell AS')
  expect(browser.page().html).not.toMatch(SECRETS)
})

it('opens no page of those who began, and no other signer’s', async () => {
  const { browser, own, path, second } = await forwarded()
  for (const page of ['continue', 'company', 'summary', 'signatures', 'stop', `signers/${second.id}/continue`]) {
    expect((await browser.open(`${path}/${page}`)).status).toBe(403)
  }
  await browser.open(`${own}/continue`)
  for (const page of ['stop', 'signatures/change', `signers/${second.id}/refuse`, `signers/${second.id}/sign`]) {
    expect((await browser.send(`${path}/${page}`)).status).toBe(403)
  }
})

it('lets nobody sign who has not identified', async () => {
  const { browser, key, own } = await forwarded()
  const page = await browser.send(`${own}/sign`)
  expect(page.place).toBe(`${own}/continue`)
  expect(page.html).not.toMatch(SECRETS)
  expect((await onboarder.signers(key)).map(({ status }) => status)).toEqual(['Waiting', 'Waiting'])
})

it('says kindly that nobody identifies people where no provider is set', async () => {
  const { browser, own } = await forwarded()
  const page = await browser.send(`${own}/identify`)
  expect([page.status, headingOf(page)]).toEqual([503, 'This does not work at the moment'])
  expect((await browser.open(`${own}/identified?code=x&state=y`)).place).toBe(`${own}/continue`)
})

it('takes a no, once it is asked again, from a form of its own alone', async () => {
  const { browser, key, own } = await forwarded()
  await browser.open(`${own}/refuse`)
  expect((await browser.send(`${own}/refuse`, { formToken: '' })).status).toBe(403)
  await browser.open(`${own}/refuse`)
  expect(headingOf(await browser.send(`${own}/refuse`))).toBe('You have not signed')
  expect((await onboarder.signers(key)).map(({ status }) => status)).toEqual(['Refused', 'Waiting'])
})

it('ends with its sessions when it is taken back', async () => {
  const { browser, first, link, own } = await forwarded()
  await revokeSignerLink(gateway.context, first)
  expect((await browser.open(`${own}/continue`)).status).toBe(403)
  expect(headingOf(await browser.open(link))).toBe('This link leads nowhere')
})

it('says so when everything has ended meanwhile', async () => {
  const { browser, key, own } = await forwarded()
  await browser.open(`${own}/refuse`)
  await gateway.client.cancelOnboarding({ params: { id: key.id } })
  expect(headingOf(await browser.send(`${own}/refuse`))).toBe('It was ended')
  expect(headingOf(await browser.open(`${own}/refuse`))).toBe('It was ended')
})

test('a file of somebody without a session is refused unread', async () => {
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
      // The body never comes.
      sent.flushHeaders()
    },
  )
  expect(answer).toEqual({ status: 403, text: expect.stringContaining('This page has grown old') })
})

test('a file too large to be looked at gets a page, and keeps nothing', async () => {
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
  // What was written came by no browser; this one is to be its people's.
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
})
