/** Tests a bank with implicit start of the authorisation and a mandatory confirmation code. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIRST_DAY } from '../../../gateway/testing/gateway/start-on-bank-day.ts'
import { bankTestClient, errorSummary } from '../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const { bank, tpp, place } = bankTestClient(() => tested, 'PAIJFIHH')
const headers = headersOf(bank)

/** A payment in signing, and the actions on it. */
async function ordered() {
  const placed = await place()
  const payment = `${bank.payments}/${placed.text('paymentId')}`
  const id = placed.text('_links.scaStatus.href').split('/').at(-1) ?? ''
  const path = `${payment}/authorisations/${id}`
  const read = async () => (await tpp.send('GET', path)).body
  const status = async () => (await tpp.send('GET', `${payment}/status`)).text('transactionStatus')
  const confirm = (confirmationCode: unknown) => tpp.send('PUT', path, { body: { confirmationCode } })
  const sign = async () => codeIn((await tpp.control('POST', `/authorisations/${id}/sign`)).text('redirect'))
  return { placed, payment, id, path, read, status, confirm, sign }
}

function codeIn(address: string): string {
  expect(address).toMatch(new RegExp(`^${headers['TPP-Redirect-URI']}\\?confirmationCode=[\\w-]{43}$`))
  return new URL(address).searchParams.get('confirmationCode') ?? ''
}

describe('an order', () => {
  test('starts its authorisation, whatever the third party prefers', async () => {
    const { placed, payment, id } = await ordered()
    expect([placed.status, placed.headers.get('aspsp-sca-approach')]).toEqual([201, 'REDIRECT'])
    expect(placed.text('_links.scaRedirect.href')).toContain(`/sca/${id}/`)
    expect(placed.text('_links.confirmation.href')).toContain(`${payment}/authorisations/${id}`)
    expect(placed.body).not.toHaveProperty('_links.startAuthorisation')
    expect((await tpp.send('GET', `${payment}/authorisations`)).body).toEqual({ authorisationIds: [id] })
  })

  test('returns its link again in polls before the user has used it', async () => {
    const { placed, id, read } = await ordered()
    const link = placed.text('_links.scaRedirect.href')
    expect(await read()).toEqual({ scaStatus: 'received', _links: { scaRedirect: { href: link } } })
    await tpp.control('POST', `/authorisations/${id}/open`)
    expect(await read()).toEqual({ scaStatus: 'received' })
  })

  test('may be signed by a later authorisation when the first failed', async () => {
    const { payment, read, status } = await ordered()
    await tpp.sign(`${payment}/authorisations`)
    expect([await read(), await status()]).toEqual([expect.objectContaining({ scaStatus: 'failed' }), 'ACSP'])
  })
})

describe('a signature', () => {
  test('counts once the confirmation code from the browser was submitted', async () => {
    const { path, read, status, confirm, sign } = await ordered()
    const code = await sign()
    expect(await read()).toEqual({
      scaStatus: 'unconfirmed',
      _links: { confirmation: { href: expect.stringContaining(path) } },
    })
    expect(await status()).toBe('RCVD')
    const confirmed = await confirm(code)
    expect([confirmed.status, confirmed.text('scaStatus')]).toEqual([200, 'finalised'])
    expect([await read(), await status()]).toEqual([{ scaStatus: 'finalised', psuMessage: 'Signed' }, 'ACSP'])
  })

  test('can be confirmed again with the same code: the first response may have been lost', async () => {
    const { confirm, sign } = await ordered()
    const code = await sign()
    const answers = await Promise.all([confirm(code), confirm(code)])
    expect(answers.map((answer) => answer.text('scaStatus'))).toEqual(['finalised', 'finalised'])
    expect(errorSummary(await confirm('another'))).toEqual([409, 'STATUS_INVALID', undefined])
  })

  test('fails with the third wrong code, and not before', async () => {
    const { read, status, confirm, sign } = await ordered()
    const code = await sign()
    for (const wrong of ['wrong', `${code}x`]) {
      expect(errorSummary(await confirm(wrong))).toEqual([400, 'SCA_INVALID', 'confirmationCode'])
    }
    const third = await confirm('wrong')
    expect([third.status, third.text('scaStatus')]).toEqual([200, 'failed'])
    expect((await confirm(code)).text('scaStatus')).toBe('failed')
    expect([await read(), await status()]).toEqual([expect.objectContaining({ scaStatus: 'failed' }), 'RCVD'])
  })

  test('that is not confirmed expires', async () => {
    const { status, confirm, sign, read } = await ordered()
    const code = await sign()
    const now = Temporal.Instant.from((await tpp.control('GET', '/clock')).text('now'))
    await tpp.control('POST', '/clock', { now: now.add({ minutes: 11 }).toString() })
    expect(await read()).toMatchObject({ scaStatus: 'failed', psuMessage: expect.stringContaining('expired') })
    expect([(await confirm(code)).text('scaStatus'), await status()]).toEqual(['failed', 'RCVD'])
  })

  test('accepts no code before the user has signed, and none that is not a text', async () => {
    const { confirm } = await ordered()
    expect(errorSummary(await confirm('early'))).toEqual([409, 'STATUS_INVALID', undefined])
    for (const wrong of [7, '', null, undefined]) {
      expect(errorSummary(await confirm(wrong))).toEqual([400, 'FORMAT_ERROR', 'confirmationCode'])
    }
  })

  test('redirects the browser back with its code as often as it is loaded', async () => {
    const { placed, sign } = await ordered()
    const link = placed.text('_links.scaRedirect.href')
    const code = await sign()
    const page = await (await fetch(link)).text()
    expect(page).toContain('Signed: go back to your program')
    expect(page).toContain(code)
    const again = await fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'reject' }),
      redirect: 'manual',
    })
    expect(codeIn(again.headers.get('location') ?? '')).toBe(code)
  })

  test('of a consent and of a cancellation counts in the same way', async () => {
    const consentId = await tpp.consent()
    expect((await tpp.send('GET', `/consents/${consentId}/status`)).body).toEqual({ consentStatus: 'valid' })
    const day = FIRST_DAY.add({ days: 14 }).toString()
    const payment = `${bank.payments}/${(await place({ requestedExecutionDate: day })).text('paymentId')}`
    await tpp.sign(`${payment}/authorisations`)
    expect((await tpp.send('DELETE', payment)).status).toBe(202)
    await tpp.sign(`${payment}/cancellation-authorisations`)
    expect((await tpp.send('GET', `${payment}/status`)).text('transactionStatus')).toBe('CANC')
  })
})
