/** Tests the simulation of users by the control API, for every SCA approach. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BankTestClient, bankTestClient } from '../../testing/bank-test-client.ts'
import { oauthClientOf } from '../../testing/oauth-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf, type Reply } from '../../testing/third-party.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const inApp = { 'TPP-Redirect-Preferred': 'false' }
const ways: readonly (readonly [way: string, bic: string, headers: object])[] = [
  ['redirect', 'FJORNO22', {}],
  ['an animated code', 'VASASESS', inApp],
  ['a start token', 'SKARSESS', inApp],
  ['a notified app', 'KATTDK22', {}],
  ['an OAuth grant', 'ELVANO22', {}],
]

type Begun = BankTestClient & { readonly paymentId: string; readonly path: string; readonly id: string }

async function begin(bic: string, headers: object = {}): Promise<Begun> {
  const visit = bankTestClient(() => tested, bic)
  const paymentId = (await visit.place()).text('paymentId')
  const path = `${visit.bank.payments}/${paymentId}/authorisations`
  const started = await visit.tpp.send('POST', path, { body: {}, headers: { ...headersOf(visit.bank), ...headers } })
  return { ...visit, paymentId, path, id: started.text('authorisationId') }
}

const outcomeOf = async ({ tpp, paymentId }: Begun): Promise<unknown> => {
  const { body } = await tpp.control('GET', `/authorisations?resource=${paymentId}`)
  return Array.isArray(body) ? body.map(({ outcome, signerId }) => [outcome, signerId]) : body
}
const message = (reply: Reply) => [reply.status, reply.text('message')]

describe.each(ways)('by %s', (_way, bic, headers) => {
  test('a user signs, and it cannot be signed again', async () => {
    const begun = await begin(bic, headers)
    expect((await begun.tpp.control('POST', `/authorisations/${begun.id}/sign`, {})).status).toBe(200)
    expect(await outcomeOf(begun)).toEqual([['approved', begun.bank.user]])
    const again = await begun.tpp.control('POST', `/authorisations/${begun.id}/sign`, {})
    expect(message(again)).toEqual([409, 'The authorisation has ended (approved): Signed'])
  })

  test.each([
    ['reject', 'rejected'],
    ['leave', 'cancelled'],
  ])('a user does %s', async (word, outcome) => {
    const begun = await begin(bic, headers)
    expect((await begun.tpp.control('POST', `/authorisations/${begun.id}/${word}`, {})).status).toBe(200)
    expect(await outcomeOf(begun)).toEqual([[outcome, begun.bank.user]])
  })

  test('a user without the right to pay is rejected', async () => {
    const begun = await begin(bic, headers)
    const { viewer } = begun.bank
    const rejected = await begun.tpp.control('POST', `/authorisations/${begun.id}/sign`, { userId: viewer })
    expect(rejected.status).toBe(403)
    expect(await outcomeOf(begun)).toEqual([[null, null]])
  })
})

describe('by a confirmation code', () => {
  test('a signature waits for the third party, and is not accepted twice', async () => {
    const begun = await begin('PAIJFIHH')
    const { redirect } = await redirectOf(begun.tpp.control('POST', `/authorisations/${begun.id}/sign`, {}))
    const confirmationCode = new URL(String(redirect)).searchParams.get('confirmationCode')
    const again = await begun.tpp.control('POST', `/authorisations/${begun.id}/sign`, {})
    expect(again.status).toBe(409)
    await begun.tpp.send('PUT', `${begun.path}/${begun.id}`, { body: { confirmationCode } })
    // The authorisation from the creation was replaced by the requested one.
    expect(await outcomeOf(begun)).toEqual([
      ['replaced', null],
      ['approved', begun.bank.user],
    ])
  })
})

describe('an authorisation', () => {
  test('may be signed by another user of the company', async () => {
    const begun = await begin('FJORNO22')
    const { secondUser: userId } = begun.bank
    await begun.tpp.control('POST', `/authorisations/${begun.id}/sign`, { userId })
    expect(await outcomeOf(begun)).toEqual([['approved', userId]])
  })

  test('that was not scanned in time cannot be signed', async () => {
    const begun = await begin('VASASESS', inApp)
    await begun.tpp.control('POST', `/authorisations/${begun.id}/expire`, {})
    expect((await begun.tpp.control('POST', `/authorisations/${begun.id}/sign`, {})).status).toBe(409)
    expect((await begun.tpp.control('POST', `/authorisations/${begun.id}/expire`, {})).status).toBe(409)
    expect(await outcomeOf(begun)).toEqual([['lapsed', null]])
  })

  test('that has expired cannot be signed', async () => {
    const begun = await begin('HAVBNO22')
    const { body } = await begun.tpp.control('GET', '/clock')
    const now = Temporal.Instant.from(String(Object(body).now))
    await begun.tpp.control('POST', '/clock', { now: now.add({ minutes: 11 }).toString() })
    expect(message(await begun.tpp.control('POST', `/authorisations/${begun.id}/sign`, {}))).toEqual([
      409,
      'The authorisation has ended (expired): The signing expired before the user finished it',
    ])
    const status = await begun.tpp.send('GET', `${begun.bank.payments}/${begun.paymentId}/status`)
    expect(status.text('transactionStatus')).toBe('RCVD')
    await begun.tpp.control('POST', '/clock', { reset: true })
  })

  test.each(['sign', 'reject', 'leave', 'open', 'scan', 'expire'])('that is unknown rejects %s', async (word) => {
    const { tpp } = bankTestClient(() => tested, 'FJORNO22')
    const unknown = '0190f5e2-0000-7000-8000-000000000000'
    expect((await tpp.control('POST', `/authorisations/${unknown}/${word}`, {})).status).toBe(404)
    expect((await tpp.control('POST', `/authorisations/no-id/${word}`, {})).status).toBe(404)
  })
})

describe('the list', () => {
  test('contains open ones, of a bank or of one subject', async () => {
    const [one, other] = [await begin('ORESDK22'), await begin('SAIMFIHH')]
    const ids = async (query: string) => {
      const { body } = await one.tpp.control('GET', `/authorisations?${query}`)
      return Array.isArray(body) ? body.map(({ authorisationId }) => authorisationId) : []
    }
    expect(await ids('open=true&bank=ORESDK22')).toEqual([one.id])
    expect(await ids(`resource=${other.paymentId}`)).toEqual([other.id])
    const { body } = await one.tpp.control('GET', `/authorisations?resource=${one.paymentId}`)
    expect(body).toEqual([
      {
        authorisationId: one.id,
        bank: 'ORESDK22',
        kind: 'payment',
        resourceId: one.paymentId,
        approach: 'redirect',
        scaStatus: 'received',
        outcome: null,
        isOpen: true,
        psuId: one.bank.user,
        signerId: null,
        createdAt: expect.stringMatching(/Z$/),
        dueAt: expect.stringMatching(/Z$/),
        codeExpiresAt: null,
      },
    ])
    await one.tpp.control('POST', `/authorisations/${one.id}/sign`, {})
    expect(await ids('open=true&bank=ORESDK22')).toEqual([])
    expect((await one.tpp.control('GET', '/authorisations?resource=x')).status).toBe(400)
  })
})

describe('a browser', () => {
  const client = oauthClientOf(() => tested.bank, 'elvebanken')
  const norrbanken = oauthClientOf(() => tested.bank, 'norrbanken')
  const send = (begun: BankTestClient, body: object) => begun.tpp.control('POST', '/browser', body)

  test('follows a signing link to the bank’s redirect', async () => {
    const begun = await begin('FJORNO22')
    const started = await begun.tpp.send('POST', begun.path, { body: {}, headers: headersOf(begun.bank) })
    const address = started.text('_links.scaRedirect.href')
    expect(await redirectOf(send(begun, { address, decision: 'reject' }))).toEqual({
      redirect: headersOf(begun.bank)['TPP-Nok-Redirect-URI'],
    })
    expect(await outcomeOf(begun)).toEqual([
      ['replaced', null],
      ['rejected', begun.bank.user],
    ])
    expect((await send(begun, { address, decision: 'sign' })).status).toBe(409)
  })

  test('returns from a grant with a valid code', async () => {
    const begun = await begin('ELVANO22')
    const asking = client.asking(`PIS:${begun.paymentId}`)
    const address = `${tested.bank.pagesUrl}/oauth/elvebanken/authorize?${new URLSearchParams(asking.query)}`
    const { redirect } = await redirectOf(send(begun, { address, decision: 'sign', userId: begun.bank.secondUser }))
    const code = new URL(String(redirect)).searchParams.get('code') ?? ''
    expect((await client.exchange(asking, code)).status).toBe(200)
    expect(await outcomeOf(begun)).toEqual([['approved', begun.bank.secondUser]])
  })

  test.each([
    ['sign', 'code'],
    ['leave', 'error'],
  ])('that at the log-in does %s returns with %s', async (decision, name) => {
    const visit = bankTestClient(() => tested, 'NORDSESS')
    const asking = norrbanken.asking('AIS PIS', { login_hint: visit.bank.secondUser })
    const address = `${tested.bank.pagesUrl}/oauth/norrbanken/authorize?${new URLSearchParams(asking.query)}`
    const { redirect } = await redirectOf(send(visit, { address, decision }))
    expect(new URL(String(redirect)).searchParams.has(name)).toBe(true)
  })

  test('follows no other link', async () => {
    const visit = bankTestClient(() => tested, 'FJORNO22')
    const answer = async (address: string) => (await send(visit, { address, decision: 'sign' })).status
    expect(await answer('https://example.org/')).toBe(400)
    expect(await answer('x')).toBe(400)
    expect(await answer(`${tested.bank.pagesUrl}/`)).toBe(404)
    expect(await answer(`${tested.bank.pagesUrl}/sca/x/y`)).toBe(404)
    expect(await answer(`${tested.bank.pagesUrl}/oauth/fjordbanken/authorize`)).toBe(404)
    expect(await answer(`${tested.bank.pagesUrl}/oauth/norrbanken/authorize`)).toBe(409)
  })
})

async function redirectOf(reply: Promise<Reply>): Promise<{ readonly redirect: unknown }> {
  const { status, body } = await reply
  if (status !== 200) {
    throw new Error(`The control API answered ${status} ${JSON.stringify(body)}`)
  }
  return Object(body)
}
