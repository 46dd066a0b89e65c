/** Tests the errors of consent requests, and that a rejected one stores nothing, here or at the bank. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countSideEffects, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK, KARI } from '../testing/payments/sample-payments.ts'

const OPERATION = ['POST', '/api/v2/consents'] as const
const REQUESTED = { bic: 'FJORNO22', organizationNumber: '987654325', callbackUrl: CALLBACK, userId: KARI }

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway)
})
afterAll(() => gateway.close())

const post = (changes: object) => sendRawRequest(gateway, OPERATION, { headers, body: { ...REQUESTED, ...changes } })
const consentsAtBank = async () => (await fetch(`${gateway.bank.pagesUrl}/control/consents`)).json()

async function rejected(changes: object) {
  const before = [await countSideEffects(gateway), await consentsAtBank()]
  const answer = await post(changes)
  expect([await countSideEffects(gateway), await consentsAtBank()]).toEqual(before)
  return answer
}

describe('a consent with one error', () => {
  test.each<[what: string, changes: object, path: string, reason: string | RegExp]>([
    ['no BIC', { bic: undefined }, '.bic', 'is required'],
    ['a malformed BIC', { bic: 'FJORNO2' }, '.bic', /must /],
    ['an unknown BIC', { bic: 'NOSUCH22' }, '.bic', /^Unknown BIC/],
    ['no organisation number', { organizationNumber: undefined }, '.organizationNumber', 'is required'],
    ['a blank organisation number', { organizationNumber: ' ' }, '.organizationNumber', /./],
    [
      'an organisation number with a wrong check digit',
      { organizationNumber: '987654326' },
      '.organizationNumber',
      'The organisation number has a wrong check digit (modulus 11)',
    ],
    [
      'an organisation number of eight digits',
      { organizationNumber: 98765432 },
      '.organizationNumber',
      'The organisation number is not nine digits beginning with 8 or 9',
    ],
    ['a broken number', { organizationNumber: 987654325.5 }, '.organizationNumber', /./],
    ['no callbackUrl', { callbackUrl: undefined }, '.callbackUrl', 'is required'],
    ['a callbackUrl that is no URI', { callbackUrl: 'back' }, '.callbackUrl', /must be a URI/],
    [
      'a script as callbackUrl',
      { callbackUrl: 'javascript:alert(1)' },
      '.callbackUrl',
      'must not have the scheme javascript:',
    ],
    [
      'credentials in callbackUrl',
      { callbackUrl: 'https://me:secret@erp.example/' },
      '.callbackUrl',
      'must not contain credentials',
    ],
    ['http to another machine', { callbackUrl: 'http://erp.example/' }, '.callbackUrl', /http:..erp.example is not/],
    ['a scheme that is not registered', { callbackUrl: 'myerp://back' }, '.callbackUrl', /myerp: is not/],
    [
      'U+0000 in callbackUrl',
      { callbackUrl: 'https://erp.example/\0' },
      '.callbackUrl',
      'contains the character U+0000',
    ],
    [
      'no userId where the bank needs one',
      { userId: undefined },
      '.userId',
      'Fjordbanken requires the user id: Fødselsnummer, for example 01815012345',
    ],
    [
      'a userId in another format',
      { userId: '0181501234' },
      '.userId',
      'must be a Fødselsnummer, for example 01815012345',
    ],
    ['a userId that is a number', { userId: 1815012345 }, '.userId', 'must be a string'],
    ['another country than the bank’s', { country: 'SE' }, '.country', 'Fjordbanken only serves companies of NO'],
    ['U+0000 in bankBranch', { bankBranch: 'Bergen\0' }, '.bankBranch', 'contains the character U+0000'],
    ['an unknown SCA method', { preferredScaMethod: 'Fax' }, '.preferredScaMethod', 'must be one of Redirect, Qr'],
  ])('is rejected for %s', async (_what, changes, path, reason) => {
    const answer = await rejected(changes)
    expect(answer.status).toBe(422)
    const matching = typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason)
    expect(answer.body).toMatchObject([{ code: 'InvalidRequest', reason: matching, path }])
  })

  test('is rejected for a user whom the bank does not know, at .userId, and nothing is stored', async () => {
    const { consents, signings } = await countSideEffects(gateway)
    const answer = await post({ userId: '99999999999' })
    expect(answer).toMatchObject({
      status: 422,
      body: [{ path: '.userId', reason: expect.stringContaining('The bank rejected the user id') }],
    })
    expect(await countSideEffects(gateway)).toMatchObject({ consents, signings })
  })
})

test('all errors are returned at once, in the order of the body', async () => {
  const answer = await rejected({
    bic: 'NOSUCH22',
    organizationNumber: '',
    callbackUrl: 'ftp://erp.example',
    country: 'no',
  })
  expect(answer.body).toMatchObject([
    { path: '.bic' },
    { path: '.organizationNumber' },
    { path: '.callbackUrl' },
    { path: '.country' },
  ])
})

describe('a company', () => {
  const NEITHER = /is neither onboarded nor registered with you$/

  test('that the partner has not onboarded: 403', async () => {
    const answer = await rejected({ organizationNumber: '987654341' })
    expect(answer).toMatchObject({ status: 403, body: { message: expect.stringMatching(NEITHER) } })
    expect(answer.body).not.toHaveProperty('failure')
  })

  test('that only another partner has onboarded: the same 403, which does not mention the other', async () => {
    const stranger = await gateway.otherPartner({ withCompany: false })
    const { access_token } = await stranger.client.issueToken({
      body: {
        grant_type: 'client_credentials',
        scope: 'api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default',
        client_id: stranger.credentials.clientId,
        client_secret: stranger.credentials.clientSecret,
      },
    })
    const theirs = { ...headers, authorization: `Bearer ${access_token}` }
    const answer = await sendRawRequest(gateway, OPERATION, { headers: theirs, body: REQUESTED })
    expect(answer).toMatchObject({
      status: 403,
      body: { message: 'The company NO 987654325 is neither onboarded nor registered with you' },
    })
  })

  test('whose subscription is not active: 403, which says so', async () => {
    const set = (active: boolean) =>
      gateway.context.database.pool.query('update companies set active_subscription = $1', [active])
    await set(false)
    const answer = await rejected({})
    await set(true)
    expect(answer).toMatchObject({
      status: 403,
      body: { message: 'The subscription of Nordlys Handel AS is not active' },
    })
  })
})

describe('a consent is requested', () => {
  test.each<[string, object]>([
    ['with the organisation number as a JSON number', { organizationNumber: 987654325 }],
    ['with the organisation number in groups', { organizationNumber: 'NO 987 654 325 MVA' }],
    [
      'with a BIC, an organisation number and a national id as they are copied',
      {
        bic: 'fjor no 22\u200b',
        organizationNumber: '\ufeff987\u00a0654\u202f325',
        userId: KARI.replace(/^.{6}/, '$&\u00a0'),
      },
    ],
    ['with the BIC of the head office', { bic: 'FJORNO22xxx' }],
    ['with unknown fields', { colour: 'blue' }],
    ['with the QR method, which becomes a redirect outside Sweden', { preferredScaMethod: 'Qr' }],
    ['with a callbackUrl on this machine', { callbackUrl: 'http://[::1]:3000/back?order=7' }],
  ])('%s', async (_what, changes) => {
    expect(await post(changes)).toMatchObject({
      status: 200,
      body: { status: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } },
    })
  })
})
