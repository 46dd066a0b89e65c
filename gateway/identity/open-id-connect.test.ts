/** Tests OpenID Connect with the sandbox's provider over HTTP: valid responses, and every invalid one. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FaultEffect } from '../../sandbox/identity-provider/faults.ts'
import { TEST_PERSONS } from '../../sandbox/identity-provider/test-persons.ts'
import { type IdentityProviderSettings, sandboxIdentityProviders } from '../config/identity-provider-settings.ts'
import { movableClock } from '../platform/clock.ts'
import { hashToken } from '../platform/ids.ts'
import {
  type IdentityProviderFixture,
  type IdentityProviderUser,
  openIdentityProviderFixture,
} from '../testing/identity/identity-provider-fixture.ts'
import {
  type Identification,
  type IdentificationRequest,
  type IdentityProvider,
  IdentityProviderError,
} from './identity-provider.ts'
import { openIdentityProviders } from './identity-providers.ts'
import { allowedHostsOf } from './provider-discovery.ts'

const BASE = 'http://127.0.0.1:8080'
const ASKED: IdentificationRequest = {
  back: `${BASE}/signing/partner/signing/return/token`,
  countryCode: 'NO',
  documentHash: hashToken('the document'),
  text: 'Nordlys Handel AS\nterms 1',
  language: 'nb',
}
const KARI = { name: { given: 'Kari', family: 'Nordmann' }, birthDate: '1950-01-01', nationalId: '01815012345' }

let stage: IdentityProviderFixture
let provider: IdentityProvider
/** How far our clock is ahead of the provider's. */
let ahead: Temporal.DurationLike = { seconds: 0 }
beforeAll(async () => {
  stage = await openIdentityProviderFixture()
  provider = opened()
})
afterEach(async () => {
  ahead = { seconds: 0 }
  await stage.clearFaults()
})
afterAll(() => stage.close())

const wall = movableClock()
const clock = { real: () => wall.real().add(ahead) }

/** As in another process: nothing of the provider is cached. */
function opened(countryCode = 'NO', settings: Partial<IdentityProviderSettings> = {}): IdentityProvider {
  const identityProviders = sandboxIdentityProviders(stage.url).map((one) => ({ ...one, ...settings }))
  const found = openIdentityProviders({ baseUrl: BASE, identityProviders }, clock).of(countryCode)
  if (found === null) {
    throw new Error(`Nobody identifies people of ${countryCode}`)
  }
  return found
}

async function identify(
  at: IdentityProvider = provider,
  asked: Partial<IdentificationRequest> = {},
  visitor?: IdentityProviderUser,
): Promise<Identification> {
  const { url, secret } = await at.begin({ ...ASKED, ...asked })
  return await at.finish({ query: queryOf(await stage.visit(url, visitor)), secret })
}

function queryOf(address: string | null): Record<string, string> {
  return Object.fromEntries(new URL(address ?? '').searchParams)
}

async function refusalOf(promise: Promise<unknown>): Promise<IdentityProviderError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof IdentityProviderError)) {
    throw new Error(`Not refused: ${String(error)}`)
  }
  return error
}

describe('identification', () => {
  test.each([
    ['NO', 'kari', 'RS256'],
    ['SE', 'elsa', 'ES256'],
    ['DK', 'freja', 'EdDSA'],
  ])('of a person of %s uses an ID token of the provider', async (countryCode, userId, algorithm) => {
    const found = await identify(opened(countryCode), { countryCode }, { userId })
    if (found.outcome !== 'identified') {
      throw new Error(found.outcome)
    }
    const expected = TEST_PERSONS.find(({ id }) => id === userId)
    expect(found.person).toMatchObject({ name: expected?.name, birthDate: expected?.birthDate, country: countryCode })
    expect(decodeProtectedHeader(found.idToken).alg).toBe(algorithm)
  })

  test('returns the national id and the level of assurance', async () => {
    const found = await identify()
    expect(found).toMatchObject({ person: { ...KARI, country: 'NO', levelOfAssurance: 'urn:bankid:bid;LOA=4' } })
  })

  test('has the provider sign the hash of what was shown, with a new nonce each time', async () => {
    const nonces = [await identify(), await identify()].map((found) =>
      found.outcome === 'identified' ? String(decodeJwt(found.idToken)['nonce']) : '',
    )
    expect(nonces.map((nonce) => nonce.split('.')[1])).toEqual([ASKED.documentHash, ASKED.documentHash])
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('redirects the browser with PKCE, state, nonce, the text to show, and the registered redirect URI', async () => {
    const { searchParams } = new URL((await provider.begin(ASKED)).url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'havn',
      redirect_uri: `${BASE}/identity/return`,
      code_challenge_method: 'S256',
      prompt: 'login',
      ui_locales: 'nb',
      signing_text: ASKED.text,
    })
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  })

  test('reports a declined identification as declined', async () => {
    expect(await identify(provider, {}, { decision: 'reject' })).toEqual({ outcome: 'denied' })
  })

  test('of a person with one name has that as the family name, as registries do', async () => {
    const found = await identify(provider, {}, { family: 'Suharto', birthDate: '1970-01-01' })
    expect(found).toMatchObject({ person: { name: { given: '', family: 'Suharto' }, birthDate: '1970-01-01' } })
  })

  test('derives a Swedish birth date from the personal identity number, where no other claim has it', async () => {
    await stage.control('/faults', { effect: 'without-birth-date', times: 1 })
    const typed = { given: 'Sven', family: 'Svensson', birthDate: '1980-02-29', nationalId: '19800229-1234' }
    const found = await identify(opened('SE'), { countryCode: 'SE' }, typed)
    expect(found).toMatchObject({ person: { birthDate: '1980-02-29', nationalId: '198002291234' } })
  })
})

describe('a callback', () => {
  test('is rejected a second time', async () => {
    const { url, secret } = await provider.begin(ASKED)
    const query = queryOf(await stage.visit(url))
    expect(await provider.finish({ query, secret })).toMatchObject({ outcome: 'identified' })
    expect(await provider.finish({ query, secret })).toEqual({ outcome: 'foreign' })
  })

  test('is rejected for another request, whether accepted or declined', async () => {
    const [mine, other] = [await provider.begin(ASKED), await provider.begin(ASKED)]
    for (const decision of ['sign', 'reject'] as const) {
      const { url } = await provider.begin(ASKED)
      const query = queryOf(await stage.visit(url, { decision }))
      expect(await provider.finish({ query, secret: mine.secret })).toEqual({ outcome: 'foreign' })
    }
    // Another user's code, injected next to the right state, is not exchanged without its verifier.
    const theirs = queryOf(await stage.visit(other.url, { userId: 'ola' }))
    const own = queryOf(await stage.visit(mine.url))
    expect(await provider.finish({ query: { ...own, code: theirs['code'] ?? '' }, secret: mine.secret })).toEqual({
      outcome: 'foreign',
    })
  })

  test.each([{ iss: 'https://other.example' }, { iss: undefined }, { state: 'other' }, { state: undefined }])(
    'is rejected with %j',
    async (change) => {
      const { url, secret } = await provider.begin(ASKED)
      const brought = Object.entries({ ...queryOf(await stage.visit(url)), ...change })
      const query = Object.fromEntries(brought.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
      expect(await provider.finish({ query, secret })).toEqual({ outcome: 'foreign' })
    },
  )

  test('that reports the provider as unavailable can be repeated; a request of ours that it rejects is for us to fix', async () => {
    const { secret, url } = await provider.begin(ASKED)
    const { state = '', iss = '' } = queryOf(await stage.visit(url))
    const brought = (error: string) => provider.finish({ query: { state, iss, error }, secret })
    expect((await refusalOf(brought('temporarily_unavailable'))).kind).toBe('unavailable')
    expect((await refusalOf(brought('invalid_scope'))).kind).toBe('misconfigured')
  })
})

describe('an ID token', () => {
  test.each<FaultEffect>([
    'wrong-nonce',
    'wrong-audience',
    'wrong-issuer',
    'expired-token',
    'old-token',
    'earlier-login',
    'unsigned',
    'signed-with-secret',
    'strange-key',
    'altered-token',
    'without-birth-date',
  ])('is rejected with %s, and the error shows nothing of the person', async (effect) => {
    const at = opened()
    await stage.control('/faults', { effect, times: 1 })
    const refusal = await refusalOf(identify(at))
    expect(refusal.kind).toBe('not-proven')
    // With its causes, as it is logged.
    expect(inspect(refusal, { depth: null })).not.toMatch(/Kari|Nordmann|0181|eyJ/)
    expect(await identify(at)).toMatchObject({ outcome: 'identified' })
  })

  test('is accepted when the provider has rotated its keys, which are fetched seldom', async () => {
    const at = opened()
    expect(await identify(at)).toMatchObject({ outcome: 'identified' })
    await stage.control('/rotate-keys', {})
    // Tokens with made-up keys do not trigger a call to the provider each time.
    expect((await refusalOf(identify(at))).kind).toBe('not-proven')
    ahead = { seconds: 6 }
    expect(await identify(at)).toMatchObject({ outcome: 'identified' })
  })

  test('of a level of assurance that is not accepted is rejected', async () => {
    const { kind } = await refusalOf(identify(opened('NO', { acrAccepted: ['urn:bankid:bid;LOA=5'] })))
    expect(kind).toBe('not-proven')
    expect(await identify(opened('NO', { acrAccepted: ['urn:bankid:bid;LOA=4'] }))).toMatchObject({
      outcome: 'identified',
    })
  })

  test('of a person of a country that the provider does not cover is rejected', async () => {
    const at = opened('FI', { issuer: `${stage.url}/mitid`, countries: ['FI'] })
    expect((await refusalOf(identify(at, { countryCode: 'FI' }, { userId: 'freja' }))).kind).toBe('not-proven')
  })
})

describe('a provider', () => {
  test('that is unavailable has a friendly page, whenever it is detected, and the same request continues once it is back', async () => {
    const at = opened()
    await stage.control('/faults', { effect: 'unavailable', times: 1 })
    expect((await refusalOf(at.begin(ASKED))).kind).toBe('unavailable')
    const { url, secret } = await at.begin(ASKED)
    const query = queryOf(await stage.visit(url))
    await stage.control('/faults', { effect: 'unavailable', times: 1 })
    expect((await refusalOf(at.finish({ query, secret }))).kind).toBe('unavailable')
    expect(await at.finish({ query, secret })).toMatchObject({ outcome: 'identified' })
  })

  test('behind a closed port is unavailable', async () => {
    const { kind, message } = await refusalOf(opened('NO', { issuer: 'http://127.0.0.1:1/bankid-no' }).begin(ASKED))
    expect({ kind, message }).toEqual({
      kind: 'unavailable',
      message: 'The identity provider at 127.0.0.1:1 did not answer (ECONNREFUSED)',
    })
  })

  test('that would redirect browsers to another host is not followed', async () => {
    await stage.control('/faults', { effect: 'elsewhere', times: 1 })
    const { kind, message } = await refusalOf(opened().begin(ASKED))
    expect({ kind, message: message.includes('elsewhere.example') }).toEqual({ kind: 'misconfigured', message: true })
  })

  test('has the hosts of its settings in whatever spelling', () => {
    const settings = { id: 'bankid', clientId: 'havn', issuer: 'https://ID.example/', hosts: ['Login.ID.example:443'] }
    expect(allowedHostsOf(settings)).toEqual(['id.example', 'login.id.example'])
  })

  test('whose metadata has another issuer is not trusted', async () => {
    const { kind } = await refusalOf(opened('NO', { issuer: `${stage.url}/bankid-no/` }).begin(ASKED))
    expect(kind).toBe('misconfigured')
  })

  test('that rejects our client secret is for operators to fix', async () => {
    const { kind } = await refusalOf(identify(opened('NO', { clientSecret: 'wrong' })))
    expect(kind).toBe('misconfigured')
  })
})

describe('client authentication by a key (RFC 7523)', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'havn-identity-'))
  })
  afterAll(async () => {
    await stage.control('/client-key', { publicKey: null })
    await rm(folder, { recursive: true })
  })

  test.each(['ed25519', 'ec'] as const)('is accepted with a key of %s', async (type) => {
    const { privateKey } =
      type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync(type)
    const clientKeyFile = join(folder, `${type}.pem`)
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    await writeFile(clientKeyFile, pem)
    const publicKey = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'pem' })
    await stage.control('/client-key', { publicKey })
    expect(await identify(opened('NO', { clientKeyFile }))).toMatchObject({ outcome: 'identified' })
    const { kind } = await refusalOf(identify(opened('NO')))
    expect(kind).toBe('misconfigured')
  })

  test('that is damaged is for operators to fix', async () => {
    const clientKeyFile = join(folder, 'damaged.pem')
    await writeFile(clientKeyFile, '-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n')
    const { kind, message } = await refusalOf(identify(opened('NO', { clientKeyFile })))
    expect({ kind, message }).toEqual({ kind: 'misconfigured', message: expect.stringContaining('no private key') })
  })
})
