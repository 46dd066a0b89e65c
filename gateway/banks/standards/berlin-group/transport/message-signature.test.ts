/** Verifies message signatures against the standard's rules, OpenSSL and the sandbox bank. */
import { execFile } from 'node:child_process'
import { createHash, createPrivateKey, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAuthority } from '../../../../../launcher/certificates/authority.ts'
import { SANDBOX_THIRD_PARTY } from '../../../../../launcher/certificates/sandbox-certificates.ts'
import { certificateOf, requireSignature } from '../../../../../sandbox/bank/identity/validate-signature.ts'
import { randomCases } from '../../../../../setup/random-cases.ts'
import { validFor } from '../../../../testing/gateway/test-certificates.ts'
import type { BankRequest, BankResponse } from '../../../connector/connector-dependencies.ts'
import { sampleBank } from '../../../testing/samples.ts'
import { type SignatureSettings, STANDARD_SIGNATURE } from '../dialect.ts'
import { keyIdOf, signMessage, signRequests } from './message-signature.ts'

const NOW = Temporal.Instant.from('2026-11-21T06:00:00Z')
const REQUEST_ID = '019ab1c2-0000-7000-8000-000000000001'
const WITH_DATE: SignatureSettings = { ...STANDARD_SIGNATURE, headers: ['date', ...STANDARD_SIGNATURE.headers] }
const BODY = '{"instructedAmount":{"currency":"NOK","amount":"1.00"}}'

let folder: string
let own: { readonly certificate: X509Certificate; readonly key: ReturnType<typeof createPrivateKey> }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-signature-'))
  const authority = await makeAuthority('Test QTSP CA 1', validFor(10))
  const { certificate, key } = await authority.issueQseal(SANDBOX_THIRD_PARTY, validFor(10))
  own = { certificate: new X509Certificate(certificate), key: createPrivateKey(key) }
  await writeFile(join(folder, 'public.pem'), own.certificate.publicKey.export({ type: 'spki', format: 'pem' }))
})
afterAll(() => rm(folder, { recursive: true }))

function request(changes: Partial<BankRequest> = {}): BankRequest {
  const url = 'https://xs2a.fjordbanken.example/psd2/v1/payments'
  return { operation: 'probe', method: 'POST', url, headers: { 'x-request-id': REQUEST_ID }, ...changes }
}

/** The sandbox bank's error for a request; undefined when it accepts the signature. */
function validated(
  { headers, body = '' }: Pick<BankRequest, 'headers' | 'body'>,
  dateFirst = false,
): string | undefined {
  try {
    const message = { headers, body: Buffer.from(body) }
    requireSignature(message, certificateOf(message), { dateFirst })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('the digest', () => {
  const digestOf = async (body: string, digest: SignatureSettings['digest']) =>
    (await signMessage(request({ body }), own, { ...STANDARD_SIGNATURE, digest }, NOW)).headers['digest']

  test('of no body is that of an empty one', async () => {
    expect(await digestOf('', 'SHA-256')).toBe('SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
  })

  test('is of the very bytes that are sent', async () => {
    expect(await digestOf(BODY, 'SHA-256')).toBe('SHA-256=VY6nLhVyHmGlFWQTrBYD+yRE/MqY/oQcjfh1gfYPxzI=')
    expect(await digestOf('{"name":"Bjørn"}', 'SHA-512')).toMatch(/^SHA-512=[A-Za-z0-9+/]{86}==$/)
  })

  test.each([
    ['SHA-256', 'sha256'],
    ['SHA-512', 'sha512'],
  ] as const)('is %s of a long body, too', async (digest, hash) => {
    const body = 'Lønn til mange. '.repeat(10_000)
    expect(await digestOf(body, digest)).toBe(`${digest}=${createHash(hash).update(body).digest('base64')}`)
  })
})

describe('the signing string', () => {
  test('has a line for each header, values trimmed, without a line break at its end', async () => {
    const headers = { 'x-request-id': REQUEST_ID, 'psu-id': ' 01815012345 ' }
    const signed = (await signMessage(request({ headers }), own, STANDARD_SIGNATURE, NOW)).headers
    const signature = /signature="([^"]+)"/.exec(signed['signature'] ?? '')?.[1] ?? ''
    const text = `digest: ${signed['digest']}\nx-request-id: ${REQUEST_ID}\npsu-id: 01815012345`
    const { publicKey } = own.certificate
    expect(verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))).toBe(true)
  })

  test('identifies the certificate by its serial number without leading zeros, and its issuer in reverse order', () => {
    const issuer = 'C=NO\nO=Sandbox Trust AS\nOU=Sandbox QTSP\nCN=Sandbox QTSP CA 1'
    const certificate = { serialNumber: '0A1F', issuer }
    expect(keyIdOf(certificate, 'escaped')).toBe(
      'SN=a1f,CA=CN=Sandbox%20QTSP%20CA%201,OU=Sandbox%20QTSP,O=Sandbox%20Trust%20AS,C=NO',
    )
    expect(keyIdOf(certificate, 'plain')).toBe('SN=a1f,CA=CN=Sandbox QTSP CA 1,OU=Sandbox QTSP,O=Sandbox Trust AS,C=NO')
  })

  test.each([
    ['O=Serviços de Certificação', 'O=Serviços de Certificação'],
    ['O=První certifikační autorita', 'O=Prvn%C3%AD certifika%C4%8Dn%C3%AD autorita'],
  ])('names the issuer %s by characters that a header can have', (issuer, sent) => {
    const keyId = keyIdOf({ serialNumber: '0A1F', issuer }, 'plain')
    expect(keyId).toBe(`SN=a1f,CA=${sent}`)
    expect(new Headers({ signature: keyId }).get('signature')).toBe(keyId)
  })
})

describe('a signed request', () => {
  test('by the standard covers those of its five headers that are sent, and nothing else', async () => {
    const bare = await signMessage(request(), own, STANDARD_SIGNATURE, NOW)
    expect(bare.headers['signature']).toContain(',algorithm="rsa-sha256",headers="digest x-request-id",signature="')
    expect(bare.headers).not.toHaveProperty('date')
    const identity = {
      'psu-id': '01815012345',
      'psu-corporate-id': '987654325',
      'tpp-redirect-uri': 'https://a.example',
    }
    const whole = await signMessage(
      request({ headers: { ...request().headers, ...identity, 'psu-ip-address': '192.0.2.1' } }),
      own,
      STANDARD_SIGNATURE,
      NOW,
    )
    expect(whole.headers['signature']).toContain(
      'headers="digest x-request-id psu-id psu-corporate-id tpp-redirect-uri"',
    )
    expect(whole.headers['tpp-signature-certificate']).toBe(own.certificate.raw.toString('base64'))
  })

  test('at a bank that requires it begins with the date', async () => {
    const dated = await signMessage(request(), own, WITH_DATE, NOW)
    expect(dated.headers).toMatchObject({ date: 'Sat, 21 Nov 2026 06:00:00 GMT' })
    expect(dated.headers['signature']).toContain('headers="date digest x-request-id"')
    expect(validated(dated, true)).toBeUndefined()
    expect(validated(dated)).toContain('nothing else')
  })

  test('follows the other variants of banks: alphabetical, SHA-512, the certificate as PEM', async () => {
    const terms: SignatureSettings = {
      headers: ['x-request-id', 'digest', 'psu-id'],
      order: 'sorted',
      algorithm: 'rsa-sha512',
      digest: 'SHA-512',
      keyIdSpaces: 'plain',
      certificate: 'pem',
    }
    const { headers } = await signMessage(request({ body: BODY }), own, terms, NOW)
    expect(headers['signature']).toContain('algorithm="rsa-sha512",headers="digest x-request-id"')
    expect(headers['tpp-signature-certificate']).toMatch(/^-----BEGIN CERTIFICATE-----\S+-----END CERTIFICATE-----$/)
    expect(validated({ headers, body: BODY })).toBeUndefined()
  })

  test('is valid for OpenSSL too', async () => {
    const { headers } = await signMessage(request({ body: BODY }), own, STANDARD_SIGNATURE, NOW)
    const text = `digest: ${headers['digest']}\nx-request-id: ${REQUEST_ID}`
    const signature = /signature="([^"]+)"/.exec(headers['signature'] ?? '')?.[1] ?? ''
    await writeFile(join(folder, 'text'), text)
    await writeFile(join(folder, 'signature'), Buffer.from(signature, 'base64'))
    const words = ['dgst', '-sha256', '-verify', 'public.pem', '-signature', 'signature', 'text']
    const { stdout } = await promisify(execFile)('openssl', words, { cwd: folder })
    expect(stdout).toBe('Verified OK\n')
  })

  const texts = fc.string({ unit: 'grapheme', maxLength: 300 })
  const visible = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/)

  test('is accepted by a bank that verifies it, for any content', async () => {
    const anything = fc.record({
      body: texts,
      id: fc.uuid(),
      psu: visible,
      terms: fc.constantFrom(STANDARD_SIGNATURE, WITH_DATE),
    })
    await fc.assert(
      fc.asyncProperty(anything, async ({ body, id, psu, terms }) => {
        const headers = { 'x-request-id': id, 'psu-id': psu, 'psu-corporate-id': '987654325' }
        expect(
          validated(await signMessage(request({ body, headers }), own, terms, NOW), terms === WITH_DATE),
        ).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  })

  test('is rejected when one byte of it has changed', async () => {
    const headers = { ...request().headers, 'psu-id': '01815012345', 'tpp-redirect-uri': 'https://a.example/b' }
    const good = await signMessage(request({ body: BODY, headers }), own, STANDARD_SIGNATURE, NOW)
    expect(validated(good)).toBeUndefined()
    const names = ['digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri', 'body'] as const
    const flip = fc.record({ name: fc.constantFrom(...names), at: fc.nat(), bit: fc.integer({ min: 0, max: 6 }) })
    fc.assert(
      fc.property(flip, ({ name, at, bit }) => {
        const bytes = Buffer.from((name === 'body' ? good.body : good.headers[name]) ?? '')
        const place = at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
        const changed = bytes.toString()
        const found =
          name === 'body' ? { ...good, body: changed } : { ...good, headers: { ...good.headers, [name]: changed } }
        expect(validated(found)).toBeDefined()
      }),
      { numRuns: randomCases(300) },
    )
  })
})

describe('the connector', () => {
  const sent: BankRequest[] = []
  const fetch = async (_bank: unknown, requested: BankRequest): Promise<BankResponse> => {
    sent.push(requested)
    return { status: 200, headers: {}, body: '' }
  }
  const ask = async (qseal: typeof own | null, signature?: SignatureSettings | 'none', url?: string) => {
    const bank = sampleBank()
    const dialect = Object.assign({}, bank.profile.dialect, signature === undefined ? {} : { signature })
    const requested = { ...bank, profile: { ...bank.profile, dialect } }
    await signRequests({ now: () => NOW, identity: () => ({ qseal, qwac: null }) }, fetch)(
      requested,
      request(url === undefined ? {} : { url }),
    )
    return sent.at(-1)?.headers ?? {}
  }

  test('signs by the standard, or by the bank’s variant', async () => {
    expect((await ask(own))['signature']).toContain('headers="digest x-request-id"')
    expect((await ask(own, WITH_DATE))['signature']).toContain('headers="date digest x-request-id"')
    expect(await ask(own, STANDARD_SIGNATURE, 'HTTPS://xs2a.fjordbanken.example/v1')).toHaveProperty('signature')
  })

  test('signs nothing without a certificate, at a bank without signatures, and without TLS', async () => {
    expect(await ask(null)).toEqual(request().headers)
    expect(await ask(own, 'none')).toEqual(request().headers)
    expect(await ask(own, STANDARD_SIGNATURE, 'http://127.0.0.1:8083/v1')).toEqual(request().headers)
  })
})
