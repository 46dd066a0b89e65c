/** Tests the page of the simulated app, with plain HTTP forms. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { bankTestClient } from '../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const swedish = bankTestClient(() => tested, 'VASASESS')
const starting = bankTestClient(() => tested, 'SKARSESS')
const danish = bankTestClient(() => tested, 'KATTDK22')

const address = (path: string) => `${tested.bank.pagesUrl}${path}`
const post = (path: string, form: Record<string, string> = {}) =>
  fetch(address(path), { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
const page = async (path: string) => await (await fetch(address(path))).text()

/** A payment that waits in an app. */
async function waiting({ bank, tpp, place }: typeof danish) {
  const payment = `${bank.payments}/${(await place()).text('paymentId')}`
  const headers = { ...headersOf(bank), 'TPP-Redirect-Preferred': 'false' }
  const started = await tpp.send('POST', `${payment}/authorisations`, { body: {}, headers })
  const id = started.text('authorisationId')
  const status = async () => (await tpp.send('GET', `${payment}/status`)).text('transactionStatus')
  const code = () => started.text('challengeData.data.0')
  return { id, path: `/app/${id}`, code, status, expire: () => tpp.control('POST', `/authorisations/${id}/expire`) }
}

describe('scanning', () => {
  test.each([
    ['an animated code', swedish, (code: string) => `  ${code}\n`],
    ['the URL that starts the app', starting, (code: string) => `bankid:///?autostarttoken=${code}&redirect=null`],
    ['the bare token', starting, (code: string) => code.toUpperCase()],
  ])('%s leads to the subject, and signs it', async (_what, visit, written) => {
    const { path, code, status } = await waiting(visit)
    const scanned = await post('/app', { code: written(code()) })
    expect([scanned.status, scanned.headers.get('location')]).toEqual([303, path])
    expect(await page(path)).toContain('Elsa Lindgren')
    expect((await post(path, { userId: visit.bank.user })).headers.get('location')).toBe(path)
    const shown = await page(path)
    expect(shown).toContain('1\u00a0250,00\u00a0SEK')
    expect(shown).toContain('A supplier')
    expect((await post(path, { decision: 'approve' })).headers.get('location')).toBe(path)
    expect(await page(path)).toContain('Signed.')
    expect(await status()).toMatch(/^AC(SP|CP)$/)
  })

  test.each([
    ['nothing', () => ''],
    ['words', () => 'bankid.hello.1.fixture'],
    ['an unknown token', () => '-'.repeat(36)],
    ['an unknown order', () => newId()],
    ['only the token of an animated code', (code: string) => code.split('.')[1] ?? ''],
    ['a code with another second’s proof', (code: string) => code.replace(/\.\d+\./, '.9999.')],
    ['half a code', (code: string) => code.slice(0, -3)],
  ])('%s finds nothing and says so', async (_what, written) => {
    const { code, status } = await waiting(swedish)
    const answer = await post('/app', { code: written(code()) })
    expect([answer.status, (await answer.text()).includes('does not recognise this code')]).toEqual([404, true])
    expect(await status()).toBe('RCVD')
  })

  test('an expired QR code is shown as expired', async () => {
    const { path, code, expire } = await waiting(swedish)
    await expire()
    expect((await post('/app', { code: code() })).headers.get('location')).toBe(path)
    expect(await page(path)).toContain('har gått ut')
    await post(path, { userId: swedish.bank.user, decision: 'approve' })
    expect(await page(path)).toContain('har gått ut')
  })
})

describe('a pending order in the app', () => {
  test('is listed with bank, amount and the user it was sent to, until it has ended', async () => {
    const { path, status } = await waiting(danish)
    const list = await page('/app')
    expect(list).toContain(`action="${path}"`)
    for (const text of ['1\u00a0250,00\u00a0DKK to A supplier', 'Kattegatbanken', 'for Freja Jensen']) {
      expect(list).toContain(text)
    }
    expect((await post(path)).headers.get('location')).toBe(path)
    const opened = await page(path)
    expect(opened).toContain('Freja Jensen')
    expect(opened).not.toContain('Mads Holm')
    await post(path, { userId: danish.bank.user })
    await post(path, { decision: 'reject' })
    expect(await page('/app')).not.toContain(path)
    expect(await status()).toBe('RCVD')
  })

  test('is unsigned until then', async () => {
    const { path, status } = await waiting(danish)
    const rejected = await post(path, { userId: danish.bank.secondUser })
    expect([rejected.status, (await rejected.text()).includes('another user’s app')]).toEqual([403, true])
    await post(path, { decision: 'approve' })
    expect(await status()).toBe('RCVD')
  })

  test('does not appear when it is signed in a browser', async () => {
    const { bank, tpp, place } = swedish
    const payment = `${bank.payments}/${(await place()).text('paymentId')}`
    const { id } = await tpp.authorise(`${payment}/authorisations`)
    expect(await page('/app')).not.toContain(id)
    expect((await fetch(address(`/app/${id}`))).status).toBe(404)
    expect((await post('/app/no-id')).status).toBe(404)
  })
})
