/** Tests both forms of every error of every operation: the documented one, and the detailed one for who asks for it. */
import * as fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CODED_ERRORS, type CodedErrorCode } from '../../../../contract/errors/coded-errors.ts'
import { TOKEN_ERROR_CODES } from '../../../../contract/errors/oauth-errors.ts'
import type { Operation } from '../../../../contract/operation.ts'
import { operations } from '../../../../contract/operations.ts'
import { randomCases } from '../../../../setup/random-cases.ts'
import { checkErrorShape } from '../../../testing/contract/check-error-shape.ts'
import { contextOf } from '../../../testing/gateway/test-context.ts'
import { newId } from '../../ids.ts'
import { openLog } from '../../observability/log.ts'
import {
  type ApiErrorKind,
  apiError,
  InvalidRequestError,
  MalformedRequestError,
  OAuthError,
  outcomeUnknown,
} from '../errors/api-error.ts'
import { openServer } from '../server.ts'
import { createServe } from './serve-operation.ts'

const BASE_URL = 'http://gateway.example'
const ORDER_ID = newId()
const all: readonly Operation[] = Object.values(operations)
/** An error that names an order has its URL. */
const NAMES = { paymentId: ORDER_ID } as const
const KINDS = [
  'bad-request',
  'unreadable',
  'unauthenticated',
  'forbidden',
  'not-found',
  'method-not-allowed',
  'not-acceptable',
  'request-timeout',
  'conflict',
  'too-large',
  'unsupported-media-type',
  'too-many-requests',
  'unavailable',
] as const satisfies readonly ApiErrorKind[]

let server: FastifyInstance
let thrown: unknown
beforeAll(async () => {
  // The errors come before anything is stored under an idempotency key.
  const { database, outcomes, seal, digest, clock, log } = contextOf({ database: {} })
  const partner = { partnerId: newId(), clientId: 'test' }
  server = openServer({ log: openLog({ program: 'test', level: 'silent' }), baseUrl: BASE_URL, trustProxy: 0 })
  const serve = createServe<typeof partner, object>({
    server,
    baseUrl: BASE_URL,
    gatekeepers: {
      authenticate: async () => partner,
      requirePermission: async () => undefined,
      requireConsent: async () => ({}),
      translate: (error) => error,
      limitRate: () => {
        throw thrown
      },
      limitUnauthenticated: () => undefined,
    },
    idempotency: { pool: database.pool, seal, digest, clock, log, outcomes },
    privatePsuAddressesAllowed: true,
    reportInternalError: () => undefined,
    reportBroken: () => undefined,
  })
  for (const operation of all) {
    serve(operation, { handle: async () => expect.fail('The error comes before') })
  }
  await server.ready()
})
afterAll(() => server.close())

/** One of the operations whose errors are alike, and a share of all; at length all. */
function triedOperations(): Iterable<Operation> {
  const [shuffled = []] = fc.sample(fc.shuffledSubarray([...all], { minLength: all.length }), 1)
  const kindOf = ({ errorFormat, errorBodies, failures, body }: Operation) =>
    JSON.stringify([errorFormat, errorBodies, failures, body === undefined])
  const ofEachKind = new Map(shuffled.map((operation) => [kindOf(operation), operation]))
  return new Set([...ofEachKind.values(), ...shuffled.slice(0, randomCases(all.length))])
}

/** Every error that the operation may answer with. */
function errorsOf({ failures, errorBodies = {}, errorFormat }: Operation): readonly unknown[] {
  const coded = Object.keys(CODED_ERRORS).filter((code): code is CodedErrorCode => code in CODED_ERRORS)
  const invalid = { code: 'InvalidRequest', reason: 'is required', path: '.amount', rule: 'required' } as const
  if (errorFormat === 'oauth') {
    const kinds = ['bad-request', 'too-large', 'unsupported-media-type', 'too-many-requests', 'unavailable'] as const
    const rejected = TOKEN_ERROR_CODES.slice(0, 4).map((code) => new OAuthError(code, 'The reason', [invalid]))
    return [...kinds.map((kind) => apiError(kind, 'The reason')), ...rejected, new Error('A bug')]
  }
  return [
    ...KINDS.map((kind) => apiError(kind, 'The reason')),
    ...failures.map((failure) => apiError(failure, 'The reason')),
    ...coded.map((code) => apiError(code, 'The reason', { onboardingId: null })),
    apiError('unauthenticated', 'The token has expired', { tokenRejection: 'TokenExpired' }),
    apiError('conflict', 'The outcome is unknown', NAMES),
    apiError('bad-request', 'targetUrl is required', { validationErrors: [invalid] }),
    outcomeUnknown({ paymentId: ORDER_ID }, 'poll it'),
    outcomeUnknown({ payrollId: ORDER_ID }, 'poll it'),
    new InvalidRequestError([invalid, { ...invalid, path: '.dueDate' }]),
    ...(errorBodies[400] === undefined ? [] : [new MalformedRequestError('MissingField', invalid)]),
    new Error('A bug'),
  ]
}

async function answerTo({ method, path, bodyType, body }: Operation, prefer: string | undefined) {
  const type = bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const payload = body === undefined ? {} : { payload: bodyType === 'form' ? 'a=b' : '{}' }
  const {
    statusCode,
    headers,
    payload: text,
  } = await server.inject({
    method,
    url: path.replaceAll(/\{\w+\}/g, ORDER_ID),
    headers: {
      authorization: 'Bearer x',
      'consent-id': ORDER_ID,
      'psu-ip-address': '127.0.0.1',
      'psu-user-agent': 'test',
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(prefer === undefined ? {} : { prefer }),
    },
    ...payload,
  })
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  return { method, path, status: statusCode, headers: new Headers(given), text }
}

function shapeFaults(operation: Operation, answer: Awaited<ReturnType<typeof answerTo>>): readonly string[] {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return checkErrorShape(operation, answer, isJson ? JSON.parse(answer.text) : answer.text)
}

/** The faults in the form of every error, and the preferences that the responses say were applied. */
async function faultsUnder(prefer: string | undefined) {
  const [faults, applied]: [string[], Set<string | null>] = [[], new Set()]
  for (const operation of triedOperations()) {
    for (thrown of errorsOf(operation)) {
      const answer = await answerTo(operation, prefer)
      applied.add(answer.headers.get('preference-applied'))
      faults.push(...shapeFaults(operation, answer).map((fault) => `${operation.id} ${answer.status}: ${fault}`))
    }
  }
  return { faults, applied: [...applied] }
}

test('by default every error of every operation has the documented fields and nothing else', async () => {
  expect(await faultsUnder(undefined)).toEqual({ faults: [], applied: [null] })
})

test('for who asks for details every error has them', async () => {
  const { faults, applied } = await faultsUnder('errors=detailed')
  expect(faults).toEqual([])
  // The errors in plain text have no details.
  expect(applied).toEqual(['errors=detailed', null])
})

test('preferences are applied together', async () => {
  thrown = apiError('not-found', 'There is none')
  const { headers } = await answerTo(operations.initiateDomesticPayment, 'Errors="detailed"; x, handling=strict')
  expect(headers.get('preference-applied')).toBe('handling=strict, errors=detailed')
})

test('an order whose outcome is unknown is found by its URL and by the message in both forms', async () => {
  thrown = outcomeUnknown(NAMES, 'poll it')
  for (const prefer of [undefined, 'errors=detailed']) {
    const { status, headers, text } = await answerTo(operations.initiateDomesticPayment, prefer)
    expect([status, headers.get('location')]).toEqual([503, `${BASE_URL}/api/v2/payments/${ORDER_ID}`])
    expect(JSON.parse(text).message).toContain(ORDER_ID)
  }
  thrown = outcomeUnknown({ payrollId: ORDER_ID }, 'poll it')
  const { headers } = await answerTo(operations.initiatePayroll, undefined)
  expect(headers.get('location')).toBe(`${BASE_URL}/api/v2/payroll/${ORDER_ID}/status`)
})

test('a request that no operation serves gets the documented form, too, unless it asks for details', async () => {
  const [plain, detailed] = [{}, { prefer: 'errors=detailed' }]
  for (const [method, url] of [
    ['GET', '/no/such/path'],
    ['PUT', '/api/v2/payments'],
    ['GET', '/api/%'],
  ] as const) {
    const { headers, payload } = await server.inject({ method, url, headers: plain })
    expect(Object.keys(JSON.parse(payload))).toEqual(['svcRequestId', 'message'])
    expect([headers['link'], headers.vary]).toEqual([expect.stringMatching(/#\w+>; rel="help"$/), 'prefer'])
    const asked = await server.inject({ method, url, headers: detailed })
    expect(Object.keys(JSON.parse(asked.payload))).toEqual(['svcRequestId', 'message', 'code', 'errors'])
    expect(asked.headers['preference-applied']).toBe('errors=detailed')
  }
})
