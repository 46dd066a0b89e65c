/** Tests caller identification: each invalid certificate or signature is rejected with the standard's code. */
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { request as httpsRequest } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type TestCertificates,
  testCertificates,
  validFor,
} from '../../../gateway/testing/gateway/test-certificates.ts'
import { type Identity, makeAuthority } from '../../../launcher/certificates/authority.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { consentRequest, order, PAYMENTS, userHeaders } from '../../testing/third-party.ts'

type Headers = Record<string, string>

/** The deviation of a caller from one that is accepted. */
type Deviation = {
  readonly qwac?: Identity | null
  readonly qseal?: Identity
  /** Signs with this key instead of the certificate's. */
  readonly key?: string
  readonly signedNames?: readonly string[]
  readonly path?: string
  /** Sends this request. */
  readonly order?: object
  readonly before?: (headers: Headers) => Headers
  /** Alters what is signed already. */
  readonly after?: (headers: Headers) => Headers
  readonly body?: (text: string) => string
}

const EXPIRED = { notBefore: validFor(0).notBefore, notAfter: validFor(-1).notAfter }
let bank: TestBank
let certificates: TestCertificates
let good: { readonly qwac: Identity; readonly qseal: Identity }

beforeAll(async () => {
  certificates = await testCertificates()
  bank = await startTestBank({ trust: certificates.trust })
  good = { qwac: await certificates.qwac(), qseal: await certificates.qseal() }
})
afterAll(async () => {
  await bank.close()
  await certificates.remove()
})

/** Requests a consent at Fjordbanken; returns status and code of the response. */
async function ask(deviation: Deviation = {}): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const { qwac = good.qwac, path = '/fjordbanken/v1/consents', body: meddle = (text: string) => text } = deviation
  const text = JSON.stringify(deviation.order ?? (path.includes('payments') ? order() : consentRequest()))
  const headers: Headers = { 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() }
  for (const [name, value] of Object.entries(userHeaders)) {
    headers[name.toLowerCase()] = value
  }
  headers['digest'] = `SHA-256=${createHash('sha256').update(text).digest('base64')}`
  const { before = (same: Headers) => same, after = (same: Headers) => same } = deviation
  return await send(path, after(signHeaders(before(headers), deviation)), { qwac, body: meddle(text) })
}

function without(name: string, headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
}

function signHeaders(headers: Headers, { qseal = good.qseal, key = qseal.key, signedNames }: Deviation): Headers {
  const all = ['digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri']
  const names = signedNames ?? all
  const text = names.map((name) => `${name}: ${headers[name]}`).join('\n')
  const certificate = new X509Certificate(qseal.certificate)
  const issuer = certificate.issuer.split('\n').reverse().join(',').replaceAll(' ', '%20')
  const signature = sign('sha256', Buffer.from(text), createPrivateKey(key)).toString('base64')
  const header =
    `keyId="SN=${certificate.serialNumber.toLowerCase()},CA=${issuer}",algorithm="rsa-sha256",` +
    `headers="${names.join(' ')}",signature="${signature}"`
  return { ...headers, signature: header, 'tpp-signature-certificate': certificate.raw.toString('base64') }
}

function send(
  path: string,
  headers: Headers,
  { qwac, body }: { readonly qwac: Identity | null; readonly body: string },
): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const shown = qwac === null ? {} : { cert: qwac.certificate, key: qwac.key }
  const options = { method: 'POST', headers, ca: certificates.authority.certificate, agent: false as const, ...shown }
  return new Promise((resolve, reject) => {
    const requested = httpsRequest(`${bank.bank.xs2aUrl}${path}`, options, async (answer) => {
      const text = Buffer.concat(await Array.fromAsync(answer)).toString()
      resolve({ status: answer.statusCode ?? 0, code: /"code":"(\w+)"/.exec(text)?.[1] })
    })
    requested.once('error', reject)
    requested.end(body)
  })
}

test('a caller with a valid certificate and signature is served', async () => {
  expect(await ask()).toEqual({ status: 201, code: undefined })
  expect(await ask({ path: `/fjordbanken/v1${PAYMENTS}` })).toEqual({ status: 201, code: undefined })
})

test('a long bulk is read completely before its signature is validated', async () => {
  const path = '/vestkyst/v1/bulk-payments/norwegian-domestic-credit-transfers'
  const payment = {
    instructedAmount: { currency: 'NOK', amount: '1.00' },
    creditorAccount: { bban: '80521200018' },
    creditorName: 'Granli Trelast AS',
  }
  const bulk = { debtorAccount: { bban: '80521100013' }, payments: Array(2_500).fill(payment) }
  expect(await ask({ path, order: bulk })).toEqual({ status: 201, code: undefined })
  const forged = { path, order: bulk, body: (text: string) => text.replace('"1.00"', '"9.00"') }
  expect(await ask(forged)).toEqual({ status: 401, code: 'SIGNATURE_INVALID' })
})

test('a body above the limit is rejected, and the caller gets the response', async () => {
  const long = { ...order(), filler: 'x'.repeat(300 * 1024) }
  expect(await ask({ path: `/fjordbanken/v1${PAYMENTS}`, order: long })).toEqual({ status: 400, code: 'FORMAT_ERROR' })
})

describe('the connection', () => {
  test('without a certificate is rejected', async () => {
    expect(await ask({ qwac: null })).toEqual({ status: 401, code: 'CERTIFICATE_MISSING' })
  })

  test('with a certificate of a foreign authority of the same name is rejected', async () => {
    const issuer = await makeAuthority('Test QTSP CA 1', validFor(90))
    expect(await ask({ qwac: await certificates.qwac({ issuer }) })).toEqual({
      status: 401,
      code: 'CERTIFICATE_INVALID',
    })
  })

  test('with an expired certificate is rejected', async () => {
    const qwac = await certificates.qwac({ validity: EXPIRED })
    expect(await ask({ qwac })).toEqual({ status: 401, code: 'CERTIFICATE_EXPIRED' })
  })

  test('with a revoked certificate is rejected, until the revocation is cleared', async () => {
    const control = `${bank.bank.pagesUrl}/control/revoked-certificates`
    const { serialNumber } = new X509Certificate(good.qwac.certificate)
    await fetch(control, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ serialNumber }),
    })
    expect(await ask()).toEqual({ status: 401, code: 'CERTIFICATE_REVOKED' })
    await fetch(control, { method: 'DELETE' })
    expect(await ask()).toMatchObject({ status: 201 })
  })

  test.each([
    [['PSP_AI'], PAYMENTS],
    [['PSP_PI'], '/consents'],
    [[], '/consents'],
  ] as const)('with the roles %j is rejected %s', async (roles, path) => {
    const qwac = await certificates.qwac({ owner: { roles } })
    expect(await ask({ qwac, path: `/fjordbanken/v1${path}` })).toEqual({ status: 401, code: 'ROLE_INVALID' })
  })
})

describe('a message', () => {
  test.each(['signature', 'digest'])('without %s is rejected', async (name) => {
    expect(await ask({ after: (headers) => without(name, headers) })).toEqual({
      status: 401,
      code: 'SIGNATURE_MISSING',
    })
  })

  test('without its certificate is rejected', async () => {
    const after = (headers: Headers) => without('tpp-signature-certificate', headers)
    expect(await ask({ after })).toEqual({ status: 401, code: 'CERTIFICATE_MISSING' })
  })

  test.each(['', 'x', 'AAAA', '-----BEGIN CERTIFICATE-----'])('with %j for a certificate is rejected', async (text) => {
    const after = (headers: Headers) => ({ ...headers, 'tpp-signature-certificate': text })
    const code = text === '' ? 'CERTIFICATE_MISSING' : 'CERTIFICATE_INVALID'
    expect(await ask({ after })).toEqual({ status: 401, code })
  })

  test('of an expired certificate, of a foreign one or of another third party’s is rejected', async () => {
    const expired = await certificates.qseal({ validity: EXPIRED })
    expect(await ask({ qseal: expired })).toEqual({ status: 401, code: 'CERTIFICATE_EXPIRED' })
    const issuer = await makeAuthority('Test QTSP CA 1', validFor(90))
    const foreign = await certificates.qseal({ issuer })
    expect(await ask({ qseal: foreign })).toEqual({ status: 401, code: 'CERTIFICATE_INVALID' })
    const anothers = await certificates.qseal({ owner: { organizationIdentifier: 'PSDNO-FSA-987654321' } })
    expect(await ask({ qseal: anothers })).toEqual({ status: 401, code: 'CERTIFICATE_INVALID' })
  })

  const invalid: readonly (readonly [what: string, deviation: () => Deviation])[] = [
    ['whose body does not match the digest', () => ({ body: (text) => `${text} ` })],
    ['whose digest does not match the body', () => ({ before: (headers) => ({ ...headers, digest: 'SHA-256=AAAA' }) })],
    ['whose digest has an unsupported algorithm', () => ({ before: (headers) => ({ ...headers, digest: 'MD5=AA' }) })],
    ['signed by another key', () => ({ key: good.qwac.key })],
    ['whose user was replaced', () => ({ after: (headers) => ({ ...headers, 'psu-id': '02825054321' }) })],
    ['that leaves the user unsigned', () => ({ signedNames: ['digest', 'x-request-id', 'tpp-redirect-uri'] })],
    [
      'that leaves the digest unsigned',
      () => ({ signedNames: ['x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri'] }),
    ],
    [
      'that signs more than the standard requires',
      () => ({
        signedNames: ['digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri', 'psu-ip-address'],
      }),
    ],
    [
      'whose keyId is of another certificate',
      () => ({
        after: (headers) => ({ ...headers, signature: (headers['signature'] ?? '').replace(/SN=\w+/, 'SN=a1f') }),
      }),
    ],
    [
      'whose issuer is of another certificate',
      () => ({
        after: (headers) => ({ ...headers, signature: (headers['signature'] ?? '').replace('C=NO', 'C=SE') }),
      }),
    ],
    ['whose signature is no signature', () => ({ after: (headers) => ({ ...headers, signature: 'keyId' }) })],
    [
      'by an unknown algorithm',
      () => ({
        after: (headers) => ({
          ...headers,
          signature: (headers['signature'] ?? '').replace('rsa-sha256', 'hmac-sha256'),
        }),
      }),
    ],
  ]
  test.each(invalid)('%s is rejected', async (_what, deviation) => {
    expect(await ask(deviation())).toEqual({ status: 401, code: 'SIGNATURE_INVALID' })
  })

  const dated = ['date', 'digest', 'x-request-id', 'psu-id', 'psu-corporate-id', 'tpp-redirect-uri']
  const at = (moment: Temporal.Instant): Deviation => ({
    path: '/fjell/v1/consents',
    signedNames: dated,
    before: (headers) => ({ ...headers, date: new Date(moment.epochMilliseconds).toUTCString() }),
  })
  test('must have the current date where the bank requires it to be signed', async () => {
    const now = Temporal.Now.instant()
    expect(await ask(at(now))).toMatchObject({ status: 201 })
    expect(await ask(at(now.subtract({ minutes: 6 })))).toEqual({ status: 400, code: 'TIMESTAMP_INVALID' })
    expect(await ask(at(now.add({ minutes: 6 })))).toEqual({ status: 400, code: 'TIMESTAMP_INVALID' })
    expect(await ask({ path: '/fjell/v1/consents' })).toEqual({ status: 401, code: 'SIGNATURE_INVALID' })
  })
})

test('browsers of users need no certificate: the pages are on a port of their own', async () => {
  expect(bank.bank.pagesUrl).toMatch(/^http:/)
  expect((await fetch(bank.bank.pagesUrl)).status).toBe(200)
})
