/** Tests for every operation who is admitted, which headers are required, and the order of rejections. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { newId } from './platform/ids.ts'
import {
  type Answer,
  countSideEffects,
  type RequestOptions,
  sendRawRequest,
  UNKNOWN_ID,
  validHeaders,
  withoutRequestId,
} from './testing/contract/send-raw-request.ts'
import { forEachRow } from './testing/for-each-row.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent, OLA } from './testing/payments/sample-payments.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

const all: readonly Operation[] = Object.values(operations)
const named = (wanted: (operation: Operation) => boolean) =>
  all.filter(wanted).map((operation) => [operation.id, operation] as const)

let gateway: TestGateway
let headers: Record<string, string>
let theirConsent: string
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
  theirConsent = (await acceptedConsent(await gateway.otherPartner(), OLA)).consentId
})
afterAll(() => gateway.close())

/** By RFC 6750, 3.1: without a token there is no error to name. */
const NO_TOKEN = /^Bearer realm="Havn"$/
const INVALID_TOKEN =
  /^Bearer realm="Havn", error="invalid_token", error_description="[^"]+", error_uri="[^"]+#Token[A-Za-z]+"$/

/** Parts of paths that are no ids. */
const PARTS: Readonly<Record<string, string>> = { bic: 'FJORNO22', bban: '99999999999' }

/** Requests an unknown resource, with an empty object as the body where the operation has one. */
async function call(
  operation: Operation,
  changes: RequestOptions['headers'] = {},
  body: unknown = {},
): Promise<Answer> {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_whole, name) => choiceOf(operation, name) ?? PARTS[name] ?? newId(),
  )
  const requested = { headers: { ...headers, ...changes }, ...(operation.body === undefined ? {} : { body }) }
  return await sendRawRequest(gateway, [operation.method, path], requested)
}

/** The first value that a path parameter may have; undefined where it may be any text. */
function choiceOf({ params }: Operation, name: string): string | undefined {
  const part: unknown = params?.properties[name]
  const words: unknown = typeof part === 'object' && part !== null && 'enum' in part ? part.enum : []
  return Array.isArray(words) && typeof words[0] === 'string' ? words[0] : undefined
}

/** The form in which an operation reports an error of the request itself: the standard envelope, or its own format. */
function saying({ malformed }: Operation, text: string): object {
  const words = expect.stringContaining(text)
  return malformed === 'parsing-error' ? { code: expect.stringMatching(/^[A-Z]/), reason: words } : { message: words }
}

/** Every error has the request id of the header, in its envelope where it has one. */
async function rejected(operation: Operation, changes: RequestOptions['headers'], body?: unknown): Promise<Answer> {
  const answer = await call(operation, changes, body)
  expect(answer.headers.get('svc-request-id')).toMatch(UUID)
  expect(answer.body).toMatchObject({
    svcRequestId: answer.headers.get('svc-request-id'),
    message: expect.stringMatching(/\S/),
  })
  return answer
}

/** Runs requests that are all rejected: together they leave nothing behind. */
async function expectNoSideEffects(requests: () => Promise<unknown>): Promise<void> {
  const before = await countSideEffects(gateway)
  await requests()
  expect(await countSideEffects(gateway)).toEqual(before)
}

/** One test of all rows of an operation, because counting its side effects takes longer than the requests. */
async function rejectsEach<Row extends readonly [what: string, ...unknown[]]>(
  rows: readonly Row[],
  run: (row: Row) => Promise<unknown>,
): Promise<void> {
  await expectNoSideEffects(() => forEachRow(rows, ([what]) => what, run))
}

describe.each(named(({ admits }) => admits !== 'anyone'))('%s', (_id, operation) => {
  const rows: readonly (readonly [what: string, authorization: string | undefined, challenge: RegExp])[] = [
    ['no token', undefined, NO_TOKEN],
    ['an empty header', '', NO_TOKEN],
    ['another scheme', 'Basic ZGVtbzpkZW1v', NO_TOKEN],
    ['something that is no JWT', 'Bearer abc', INVALID_TOKEN],
    ['two tokens', 'Bearer a.b.c, Bearer d.e.f', INVALID_TOKEN],
  ]
  test('returns 401 without a valid token, and names what is wrong', async () => {
    await rejectsEach(rows, async ([, authorization, challenge]) => {
      const answer = await rejected(operation, { authorization })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(challenge)
      expect(answer.body).not.toHaveProperty('failure')
    })
  })
})

describe.each(named(({ psu }) => psu !== 'none'))('%s', (_id, operation) => {
  const bothMissing = { 'psu-ip-address': undefined, 'psu-user-agent': undefined }
  const rows: readonly (readonly [what: string, changes: Record<string, string | undefined>, header: string])[] = [
    ['no PSU-IP-Address', { 'psu-ip-address': undefined }, 'PSU-IP-Address'],
    ['a name as PSU-IP-Address', { 'psu-ip-address': 'localhost' }, 'PSU-IP-Address'],
    ['two addresses in PSU-IP-Address', { 'psu-ip-address': '192.0.2.1, 192.0.2.2' }, 'PSU-IP-Address'],
    ['an address with a port', { 'psu-ip-address': '192.0.2.1:443' }, 'PSU-IP-Address'],
    ['an address with a zone', { 'psu-ip-address': 'fe80::1%eth0' }, 'PSU-IP-Address'],
    ['no PSU-User-Agent', { 'psu-user-agent': undefined }, 'PSU-User-Agent'],
    ['a blank PSU-User-Agent', { 'psu-user-agent': ' ' }, 'PSU-User-Agent'],
    ...(operation.psu === 'required' ? [['no PSU headers', bothMissing, 'PSU-IP-Address'] as const] : []),
  ]
  test('returns 400 to missing or malformed PSU headers, and names the header', async () => {
    await rejectsEach(rows, async ([, changes, header]) => {
      const answer = await rejected(operation, changes)
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(header) } })
      expect(answer.body).not.toHaveProperty('failure')
    })
  })
})

describe.each(named(({ admits }) => admits === 'consent'))('%s', (_id, operation) => {
  const rows: readonly (readonly [what: string, consentId: string | undefined])[] = [
    ['no consent-id', undefined],
    ['a malformed consent-id', 'consent-1'],
    ['a consent-id with trailing characters', `${UNKNOWN_ID}, ${UNKNOWN_ID}`],
    ['an unknown consent-id', UNKNOWN_ID],
  ]
  test('returns 400 INVALID_CONSENT without a valid consent-id', async () => {
    await rejectsEach(rows, async ([, consentId]) => {
      const answer = await rejected(operation, { 'consent-id': consentId })
      expect(answer).toMatchObject({ status: 400, body: { failure: 'INVALID_CONSENT' } })
    })
  })

  test('responds to another partner’s consent as to an unknown one', async () => {
    await expectNoSideEffects(async () => {
      const theirs = await rejected(operation, { 'consent-id': theirConsent })
      const nobodys = await rejected(operation, { 'consent-id': UNKNOWN_ID })
      expect(withoutRequestId(theirs)).toEqual(withoutRequestId(nobodys))
    })
  })
})

describe.each(named(({ idempotent }) => idempotent))('%s', (_id, operation) => {
  const rows: readonly (readonly [what: string, key: string])[] = [
    ['of 256 characters', 'k'.repeat(256)],
    ['with a character beyond ASCII', 'nøkkel'],
  ]
  test('returns 400 to an Idempotency-Key that is too long or not ASCII', async () => {
    await rejectsEach(rows, async ([, key]) => {
      const answer = await rejected(operation, { 'idempotency-key': key })
      expect(answer).toMatchObject({ status: 400, body: saying(operation, 'Idempotency-Key') })
    })
  })
})

describe.each(named(({ body, bodyType }) => body !== undefined && bodyType !== 'form'))('%s', (_id, operation) => {
  /** Each row breaks one thing more than the row below it; the response is about the first broken thing. */
  const spoilt = {
    authorization: undefined,
    'psu-user-agent': undefined,
    'consent-id': undefined,
    'idempotency-key': 'k'.repeat(256),
  }
  test('rejects in this order: media type, JSON, token, headers, consent, body', async () => {
    await expectNoSideEffects(rejectInOrder)
  })

  async function rejectInOrder(): Promise<void> {
    const { authorization, 'psu-user-agent': agent, 'consent-id': consentId } = headers
    const form = { ...spoilt, 'content-type': 'application/x-www-form-urlencoded' }
    expect(await rejected(operation, form, 'a=b')).toMatchObject({ status: 415 })
    expect(await rejected(operation, { ...spoilt, 'content-type': 'text/xml' }, '<a/>')).toMatchObject({ status: 415 })
    const reported = 'The body is not valid JSON'
    if (operation.validation.includes('InvalidJsonRequest')) {
      const body = [{ code: 'InvalidJsonRequest', reason: reported, path: '.' }]
      expect(await call(operation, spoilt, '{')).toMatchObject({ status: 422, body })
    } else {
      expect(await rejected(operation, spoilt, '{')).toMatchObject({ status: 400, body: saying(operation, reported) })
    }
    expect(await rejected(operation, spoilt)).toMatchObject({ status: 401 })
    const headersRequested = [
      ...(operation.psu === 'required' ? [['PSU-User-Agent', {}] as const] : []),
      ...(operation.idempotent ? [['Idempotency-Key', { 'psu-user-agent': agent }] as const] : []),
    ]
    for (const [header, mended] of headersRequested) {
      expect(await rejected(operation, { ...spoilt, authorization, ...mended })).toMatchObject({
        status: 400,
        body: saying(operation, header),
      })
    }
    const soundKey = { 'idempotency-key': undefined }
    if (operation.admits === 'consent') {
      const unconsented = await rejected(operation, { ...soundKey, 'consent-id': undefined })
      expect(unconsented).toMatchObject({ status: 400, body: { failure: 'INVALID_CONSENT' } })
    }
    const status = operation.malformed === 'parsing-error' ? 400 : (operation.malformed ?? 422)
    // Where nothing is required of an object, it must at least be one.
    const wrong = operation.body !== undefined && 'required' in operation.body ? {} : []
    expect(await call(operation, { ...soundKey, 'consent-id': consentId }, wrong)).toMatchObject({ status })
  }

  const bytesMax = operation.bodyBytesMax ?? 256 * 1024
  test(`returns 413 to a body over ${bytesMax / 1024} kB, before authentication`, async () => {
    const body = JSON.stringify({ x: 'x'.repeat(bytesMax) })
    await expectNoSideEffects(async () => {
      expect(await rejected(operation, { authorization: undefined }, body)).toMatchObject({ status: 413 })
    })
  })
})
