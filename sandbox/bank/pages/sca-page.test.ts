/** Tests the SCA pages, with plain HTTP forms. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import {
  consentRequest,
  INGRID,
  KARI,
  OLA,
  PAYMENTS,
  type ThirdParty,
  thirdPartyOf,
  userHeaders,
} from '../../testing/third-party.ts'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())

const OK = userHeaders['TPP-Redirect-URI']
const NOK = userHeaders['TPP-Nok-Redirect-URI']
const post = (link: string, form: Record<string, string>) =>
  fetch(link, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
const page = async (link: string) => await (await fetch(link)).text()

async function openPayment(changes = {}) {
  const path = `${PAYMENTS}/${await tpp.pay(changes)}`
  const authorisation = await tpp.authorise(`${path}/authorisations`)
  const status = async () => (await tpp.send('GET', `${path}/status`)).text('transactionStatus')
  const sca = async () => (await tpp.send('GET', `${path}/authorisations/${authorisation.id}`)).body
  return { ...authorisation, path, status, sca }
}

describe('signing a payment', () => {
  test('identifies the user, shows what is signed, and redirects the browser back', async () => {
    const { link, sca } = await openPayment({ creditorName: 'Granli & Sønn' })
    const first = await page(link)
    expect(first).toContain(`value="${KARI}" checked`)
    expect(first).not.toContain(INGRID)
    const identified = await post(link, { userId: KARI })
    expect([identified.status, new URL(identified.headers.get('location') ?? '', link).href]).toEqual([303, link])
    expect(await sca()).toEqual({ scaStatus: 'psuAuthenticated' })
    const second = await page(link)
    for (const shown of [
      '1\u00a0250,00\u00a0NOK',
      'Granli &#38; Sønn',
      '8050.12.00011',
      '8050.11.00017',
      'Faktura 20481',
    ]) {
      expect(second).toContain(shown)
    }
    for (const decision of ['approve', 'reject', 'cancel']) {
      expect(second).toContain(`name="decision" value="${decision}"`)
    }
    const signed = await post(link, { decision: 'approve' })
    expect([signed.status, signed.headers.get('location')]).toEqual([303, OK])
    const after = await page(link)
    expect(after).toMatch(/<main[^>]*>\s*<h1>Signed: go back to your program<\/h1>\s*<p class="buttons"><a /)
    expect(after).toContain(`href="${OK}"`)
    expect(await sca()).toEqual({ scaStatus: 'finalised', psuMessage: 'Signed' })
  })

  test.each([
    ['reject', 'The user rejected the request'],
    ['cancel', 'The user cancelled the signing'],
  ])('can %s, and the payment stays unsigned', async (decision, psuMessage) => {
    const { link, sca, status } = await openPayment()
    await post(link, { userId: KARI })
    expect((await post(link, { decision })).headers.get('location')).toBe(NOK)
    expect(await sca()).toEqual({ scaStatus: 'failed', psuMessage })
    expect(await status()).toBe('RCVD')
  })

  test('can be left before the user has logged in', async () => {
    const { link, sca } = await openPayment()
    expect((await post(link, { decision: 'cancel' })).headers.get('location')).toBe(NOK)
    expect(await sca()).toMatchObject({ scaStatus: 'failed' })
  })

  test('does not count without an identified signer', async () => {
    const { link, status } = await openPayment()
    expect((await post(link, { decision: 'approve' })).headers.get('location')).toBe(NOK)
    expect(await status()).toBe('RCVD')
  })

  test('is rejected for a user without the right to pay, and for an unknown one', async () => {
    const { link, sca } = await openPayment()
    const viewer = await post(link, { userId: INGRID })
    expect(viewer.status).toBe(403)
    expect(await viewer.text()).toContain('Ingrid Berg has no right to pay from account 80501100017')
    expect((await post(link, { userId: '00000000000' })).status).toBe(403)
    expect(await sca()).toEqual({ scaStatus: 'received' })
  })

  test('shows a second person the company for which the payment was ordered', async () => {
    const { link } = await openPayment()
    await post(link, { userId: OLA })
    expect(await page(link)).toContain('placed for Kari Nordmann')
  })

  test('by two users says who has signed, and that another signature is needed', async () => {
    const debtorAccount = { bban: '80501100041' }
    const { path, link } = await openPayment({ debtorAccount })
    await post(link, { userId: KARI })
    expect(await page(link)).not.toContain('has signed')
    await post(link, { decision: 'approve' })
    expect(await page(link)).toContain('Kari Nordmann has signed. Another signature is needed.')
    const second = await tpp.authorise(`${path}/authorisations`, { ...userHeaders, 'PSU-ID': OLA })
    await post(second.link, { userId: OLA })
    expect(await page(second.link)).toContain('Kari Nordmann has signed. Your signature is needed, too.')
    await post(second.link, { decision: 'approve' })
    expect(await page(second.link)).not.toContain('needed')
  })

  test('whose program named the front page as its own says first that the user goes back to it', async () => {
    const front = await page(tested.bank.pagesUrl)
    const returned = await page(`${tested.bank.pagesUrl}/?status=success`)
    expect(front).not.toContain('go back to your program')
    expect(returned).toMatch(/<main[^>]*>\s*<p [^>]*><strong>Signed: go back to your program/)
    expect(await page(`${tested.bank.pagesUrl}/?status=cancelled`)).toContain('Not signed: go back to your program')
  })

  test('pressed twice signs once', async () => {
    const { link, sca } = await openPayment()
    await post(link, { userId: KARI })
    const both = await Promise.all([post(link, { decision: 'approve' }), post(link, { decision: 'reject' })])
    expect(new Set(both.map((answer) => answer.headers.get('location'))).size).toBe(1)
    expect(await page(link)).toMatch(/<h1>(Signed: go back to your program|This authorisation has ended)/)
    expect(JSON.stringify(await sca())).toMatch(/finalised|failed/)
  })

  test('in a tab counts for the user whom it shows, when another one has identified in a second tab', async () => {
    const { link, status } = await openPayment()
    await post(link, { userId: KARI })
    const [, signer = ''] = /name="signer" value="([^"]+)"/.exec(await page(link)) ?? []
    await post(link, { userId: OLA })
    const refused = await post(link, { decision: 'approve', signer })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('Another user has logged in meanwhile')
    expect(await status()).toBe('RCVD')
    expect((await post(link, { decision: 'approve', signer: OLA })).headers.get('location')).toBe(OK)
  })

  test('does not sign what was cancelled meanwhile', async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}`
    const { link } = await tpp.authorise(`${path}/authorisations`)
    await post(link, { userId: KARI })
    await tpp.send('DELETE', path)
    expect((await post(link, { decision: 'approve' })).headers.get('location')).toBe(NOK)
    expect((await tpp.send('GET', `${path}/status`)).text('transactionStatus')).toBe('CANC')
  })
})

describe('giving consent', () => {
  test('shows the accounts and what may be read of them', async () => {
    const made = await tpp.send('POST', '/consents', { body: consentRequest(), headers: userHeaders })
    const { link } = await tpp.authorise(`/consents/${made.text('consentId')}/authorisations`)
    expect(await page(link)).not.toContain(OLA)
    await post(link, { userId: KARI })
    const shown = await page(link)
    expect(shown).toContain('Vestavind Eiendom AS')
    expect(shown).toContain('balance, transactions')
    expect((await post(link, { decision: 'approve' })).headers.get('location')).toBe(OK)
  })
})

describe('every page', () => {
  test('does not exist without the right token', async () => {
    const { link, id } = await openPayment()
    expect((await fetch(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404)
    expect((await fetch(`${tested.bank.pagesUrl}/sca/${id}/guess`)).status).toBe(404)
    expect((await fetch(`${tested.bank.pagesUrl}/sca/no-id/guess`)).status).toBe(404)
  })

  test('runs no script, sends no referrer and cannot be framed', async () => {
    const { link } = await openPayment()
    for (const address of [link, `${tested.bank.pagesUrl}/`, `${tested.bank.pagesUrl}/nowhere`]) {
      const answer = await fetch(address)
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/)
      expect(answer.headers.get('content-security-policy')).toMatch("frame-ancestors 'none'")
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(await answer.text()).not.toMatch(/<script| style="| on[a-z]+="/)
    }
  })

  test('escapes user input', async () => {
    const { link } = await openPayment({ remittanceInformationUnstructured: "Faktura ' (1) & 2" })
    await post(link, { userId: KARI })
    expect(await page(link)).toContain('Faktura &#39; (1) &#38; 2')
  })
})

describe('the overview', () => {
  test('shows accounts, payments and persons', async () => {
    await openPayment()
    const shown = await page(`${tested.bank.pagesUrl}/`)
    for (const text of ['Nordlys Handel AS', '8050.11.00017', 'RCVD', 'Kari Nordmann', 'sees and pays']) {
      expect(shown).toContain(text)
    }
  })

  test('lists every bank and the URL of its XS2A API', async () => {
    const shown = (await page(`${tested.bank.pagesUrl}/`)).replaceAll('<wbr>', '')
    for (const [name, path] of [
      ['Fjordbanken', 'fjordbanken'],
      ['Mälarbanken', 'malarbanken'],
      ['Øresundsbanken', 'oresund'],
      ['Aurajoen Pankki', 'aurajoki'],
    ] as const) {
      expect(shown).toContain(name)
      expect(shown).toContain(tested.bank.urlOf(path))
    }
  })

  test('shows the entries of an account', async () => {
    const shown = await page(`${tested.bank.pagesUrl}/accounts/FJORNO22/80501100017`)
    expect(shown).toContain('Fjellheim Bygg AS')
    expect(shown).toContain('\u221236\u00a0400,00\u00a0NOK')
    expect((await fetch(`${tested.bank.pagesUrl}/accounts/FJORNO22/80501100018`)).status).toBe(404)
  })

  test('has its own style sheet', async () => {
    const style = await fetch(`${tested.bank.pagesUrl}/style.css`)
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
  })
})
