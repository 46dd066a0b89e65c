/** Tests a probe with scripted banks: what it says of tokens, signatures and addresses, and what it leaves behind. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeAuthority } from '../../../../../launcher/certificates/authority.ts'
import { SANDBOX_THIRD_PARTY } from '../../../../../launcher/certificates/sandbox-certificates.ts'
import { validFor } from '../../../../testing/gateway/test-certificates.ts'
import type { Bank } from '../../../connector/bank.ts'
import { BankUnreachable } from '../../../connector/bank-error.ts'
import type { BankRequest, BankResponse, ConnectorDependencies } from '../../../connector/connector-dependencies.ts'
import { hasLearned, isChange, type ProbeReport, type ProbeStop } from '../../../connector/probe-report.ts'
import { connectorTools } from '../../../testing/connector-tools.ts'
import { sampleBank } from '../../../testing/samples.ts'
import { probeBerlinGroup } from './probe-berlin-group.ts'

type Script = (request: BankRequest) => BankResponse | Promise<BankResponse>

const NOBODY = { userId: null, organisationNumber: null }

function answer(status: number, body: object = {}, headers: Record<string, string> = {}): BankResponse {
  return { status, headers, body: JSON.stringify(body) }
}
const rejected = (status: number, code: string, text = '', path?: string) =>
  answer(status, { tppMessages: [{ category: 'ERROR', code, text, ...(path === undefined ? {} : { path }) }] })

async function probe(
  script: Script,
  {
    bank = sampleBank(),
    identity,
    stop,
  }: { bank?: Bank; identity?: ConnectorDependencies['identity']; stop?: ProbeStop } = {},
): Promise<ProbeReport> {
  const tools = connectorTools({
    fetch: async (_bank, request) => await script(request),
    ...(identity === undefined ? {} : { identity }),
  })
  return await probeBerlinGroup(tools, bank, { ...NOBODY, ...(stop === undefined ? {} : { stop }) })
}

const changesIn = ({ findings }: ProbeReport) =>
  Object.fromEntries(findings.filter(isChange).map(({ setting, suggested }) => [setting, suggested]))

/** Accepts every order and consent, and knows them by their ids. */
function acceptingBank(cancel: (request: BankRequest) => BankResponse | 'cancelled') {
  const statuses = new Map<string, string>()
  const script: Script = (request) => {
    const { method, body = '' } = request
    const [, service = '', product = '', id = ''] = new URL(request.url).pathname.split('/v1')[1]?.split('/') ?? []
    const key = service === 'consents' ? product : id
    if (method === 'POST' && service === 'payments' && product === 'norwegian-domestic-credit-transfers') {
      if (body === '{}') {
        return rejected(400, 'FORMAT_ERROR', 'is missing', 'instructedAmount')
      }
      // A number at some banks.
      const paymentId = statuses.size + 1
      statuses.set(String(paymentId), 'RCVD')
      return answer(201, { paymentId, transactionStatus: 'RCVD' })
    }
    if (method === 'DELETE' && statuses.has(key)) {
      const result = cancel(request)
      if (result !== 'cancelled') {
        return result
      }
      statuses.set(key, 'CANC')
      return answer(204)
    }
    return statuses.has(key)
      ? answer(200, { transactionStatus: statuses.get(key) })
      : rejected(404, service === 'payments' ? 'PRODUCT_UNKNOWN' : 'RESOURCE_UNKNOWN')
  }
  return { script, statuses }
}

test('orders that the bank accepts are cancelled with the redirect address, which some banks require', async () => {
  const { script, statuses } = acceptingBank(({ headers }) =>
    headers['tpp-redirect-uri'] === undefined
      ? rejected(400, 'FORMAT_ERROR', 'is missing', 'TPP-Redirect-URI')
      : 'cancelled',
  )
  const report = await probe(script)
  expect(statuses.size).toBeGreaterThan(10)
  expect(new Set(statuses.values())).toEqual(new Set(['CANC']))
  expect(report.remaining).toEqual([])
  expect(report.notes.join()).toContain(`created ${statuses.size} consents and orders that were deleted`)
})

test.each([
  ['is rejected', rejected(405, 'CANCELLATION_INVALID', 'never'), '405 CANCELLATION_INVALID: never'],
  ['needs a signature', answer(202, { transactionStatus: 'RCVD' }), '202'],
  ['has no effect', answer(204), '204'],
])('an order remains whose cancellation %s', async (_what, result, shown) => {
  const { script, statuses } = acceptingBank(() => result)
  const { remaining } = await probe(script)
  expect(remaining.map(({ id }) => id)).toEqual([...statuses.keys()])
  expect(remaining[0]).toMatchObject({
    ...{ service: 'payments', product: 'norwegian-domestic-credit-transfers', id: '1' },
    state: `is RCVD; its deletion was answered with ${shown}`,
  })
})

test('an order without an answer, and one without an id, remain with the ids of their requests', async () => {
  const ids: (string | undefined)[] = []
  const { script } = acceptingBank(() => 'cancelled')
  const report = await probe((request) => {
    if (request.method !== 'POST' || !request.body?.includes('instructedAmount')) {
      return script(request)
    }
    ids.push(request.headers['x-request-id'])
    if (ids.length === 2) {
      throw new BankUnreachable('The connection was closed', true)
    }
    return answer(201, { transactionStatus: 'RCVD' })
  })
  expect(report.remaining).toMatchObject([
    { id: null, requestId: ids[0], state: 'created, but the answer has no id' },
    { id: null, requestId: ids[1], state: 'unknown: The connection was closed' },
  ])
  expect(report.endedBy).toMatchObject({ message: 'The connection was closed' })
})

test('an interruption ends the probe at once, and what was created is cancelled or listed', async () => {
  const [probing, deletion] = [new AbortController(), new AbortController()]
  const { script, statuses } = acceptingBank(() => 'cancelled')
  const { promise: never } = Promise.withResolvers<never>()
  const report = await probe(
    (request) => {
      if (request.method === 'POST' && statuses.size === 3) {
        probing.abort(new Error('interrupted'))
        return never
      }
      return script(request)
    },
    { stop: { probing: probing.signal, deletion: deletion.signal } },
  )
  expect([...statuses.values()]).toEqual(['CANC', 'CANC', 'CANC'])
  expect(report).toMatchObject({
    endedBy: { message: 'interrupted' },
    remaining: [{ id: null, state: 'unknown: interrupted' }],
  })
})

test('a second interruption ends the cancellation, too', async () => {
  const [probing, deletion] = [new AbortController(), new AbortController()]
  const { promise: never } = Promise.withResolvers<never>()
  const { script } = acceptingBank(() => 'cancelled')
  const report = await probe(
    (request) => {
      if (request.method !== 'DELETE' || !/\/\d+$/.test(request.url)) {
        return script(request)
      }
      probing.abort(new Error('interrupted'))
      deletion.abort(new Error('interrupted'))
      return never
    },
    { stop: { probing: probing.signal, deletion: deletion.signal } },
  )
  expect(report.remaining).toMatchObject([{ id: '1', state: 'its deletion was not answered: interrupted' }])
})

test.each(['TOKEN_MISSING', 'PSU_CREDENTIALS_INVALID', 'CONSENT_UNKNOWN', 'UNAUTHORIZED', ''])(
  'a bank that answers every call with 401 %s requires a token',
  async (code) => {
    const report = await probe(() => (code === '' ? answer(401) : rejected(401, code)))
    expect(changesIn(report)).toEqual({ oauth: 'pre-step' })
    expect(report.notes.join()).toContain('users sign in first')
  },
)

test('a bank that answers every creation with 401 requires a token', async () => {
  const report = await probe(({ method }) => (method === 'GET' ? answer(404) : rejected(401, 'UNAUTHORIZED')))
  expect(changesIn(report)).toEqual({ oauth: 'pre-step' })
})

test('a bank that answers only some calls with 401 is probed', async () => {
  const report = await probe(({ method }) =>
    method === 'GET' ? rejected(401, 'CONSENT_INVALID') : rejected(400, 'FORMAT_ERROR'),
  )
  expect(changesIn(report)).toEqual({})
  expect(report.findings).toContainEqual(expect.objectContaining({ setting: 'dialect.consentAccess' }))
})

test.each([
  ['404', answer(404), answer(404)],
  ['403 with a code', rejected(403, 'SERVICE_BLOCKED'), rejected(403, 'SERVICE_BLOCKED')],
  ['a page', answer(200), answer(200)],
  ['500', answer(500), answer(500)],
  ['503', answer(503), answer(503)],
  ['404, and 405 to anything but reads', answer(404), answer(405)],
])('a server that answers everything with %s shows nothing', async (_what, read, other) => {
  const report = await probe(({ method }) => (method === 'GET' ? read : other))
  expect(hasLearned(report)).toBe(false)
  expect(report.notes.join()).toContain(`answered alike (GET with ${read.status}`)
  expect(report.remaining.filter(({ state }) => state.startsWith('created'))).toEqual([])
})

test('a bank that rejects long consents and frequent reads is asked for less', async () => {
  const complaint = (field: string) => rejected(400, 'FORMAT_ERROR', 'is too much', field)
  const report = await probe(({ method, url, body = '{}' }) => {
    if (method !== 'POST' || !url.endsWith('/consents')) {
      return rejected(404, 'RESOURCE_UNKNOWN')
    }
    const { validUntil = '', frequencyPerDay } = JSON.parse(body)
    return validUntil > '2027-03-01'
      ? complaint('validUntil')
      : frequencyPerDay > 1
        ? complaint('frequencyPerDay')
        : answer(201, { consentId: 'c1', consentStatus: 'received' })
  })
  expect(changesIn(report)).toMatchObject({ maxConsentValidityDays: '90', 'dialect.frequencyPerDay': '1' })
})

test('an order without a day is the base where the bank rejects the day', async () => {
  const report = await probe(({ method, url, body = '{}' }) => {
    const order = JSON.parse(body)
    if (method !== 'POST' || !url.includes('/payments/norwegian-domestic') || body === '{}') {
      return url.includes('/payments/norwegian-domestic') ? rejected(400, 'FORMAT_ERROR') : rejected(404, 'UNKNOWN')
    }
    const path = ['requestedExecutionDate', 'havnProbe', 'purposeCode'].find((name) => order[name] !== undefined)
    return rejected(400, 'FORMAT_ERROR', 'is wrong', path ?? 'debtorAccount')
  })
  expect(report.findings).toContainEqual(expect.objectContaining({ setting: 'dialect.accounts', suggested: 'bban' }))
  expect(report.findings).toContainEqual(
    expect.objectContaining({ setting: 'dialect.purposeCode', suggested: 'false' }),
  )
})

test('an address with the version is recognised, and probed without it', async () => {
  const bank = { ...sampleBank(), address: 'https://xs2a.bank.example/psd2/v1' }
  const report = await probe(({ url }) => (url.includes('/v1/v1') ? answer(404) : rejected(403, 'CONSENT_UNKNOWN')), {
    bank,
  })
  expect(changesIn(report)).toMatchObject({ '--address': 'https://xs2a.bank.example/psd2' })
  expect(report.notes.join()).toContain('The address ends in /v1')
})

test('the variant of the signature that the bank accepts is found, with two deviations', async () => {
  const authority = await makeAuthority('Test QTSP CA 1', validFor(10))
  const { certificate, key } = await authority.issueQseal(SANDBOX_THIRD_PARTY, validFor(10))
  const qseal = { certificate: new X509Certificate(certificate), key: createPrivateKey(key) }
  const report = await probe(
    ({ method, url, headers: { signature = '', digest = '' } }) => {
      if (!signature.includes('algorithm="rsa-sha512"') || !digest.startsWith('SHA-512=')) {
        return rejected(401, 'SIGNATURE_INVALID')
      }
      return method === 'POST' && url.endsWith('consents')
        ? rejected(400, 'FORMAT_ERROR')
        : rejected(403, 'RESOURCE_UNKNOWN')
    },
    { bank: { ...sampleBank(), address: 'https://xs2a.bank.example/psd2' }, identity: () => ({ qseal, qwac: null }) },
  )
  const found = JSON.parse(String(changesIn(report)['dialect.signature']))
  expect(found).toMatchObject({ algorithm: 'rsa-sha512', digest: 'SHA-512', order: 'listed', certificate: 'der' })
  expect(report.findings).toContainEqual(expect.objectContaining({ setting: 'dialect.consentAccess' }))
})
