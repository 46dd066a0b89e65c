/** Tests which responses are replayed under an Idempotency-Key: those that last, and no temporary one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CODED_ERRORS } from '../../../../contract/errors/coded-errors.ts'
import { ERROR_CATALOGUE, type ErrorCode } from '../../../../contract/errors/error-catalogue.ts'
import { FAILURE_CODES, VALIDATION_CODES } from '../../../../contract/errors/error-codes.ts'
import { type FreshDatabase, freshDatabase } from '../../../testing/database/fresh-database.ts'
import { forEachRow } from '../../../testing/for-each-row.ts'
import { movableClock } from '../../clock.ts'
import { createSeal, generateMasterKeyLine, parseMasterKeys } from '../../crypto/envelope-encryption.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { openOutcomeRecorder } from '../../database/outcome-recorder.ts'
import { newId } from '../../ids.ts'
import { type ApiErrorReason, apiError, InvalidRequestError, invalidRequest } from '../errors/api-error.ts'
import { isTemporaryError, type RenderedAnswer, renderErrorResponse } from '../errors/render-error.ts'
import { createRequestFinder } from './idempotency.ts'
import { serveIdempotent } from './serve-idempotent.ts'

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ ...fresh, applicationName: 'test', connectionsMax: 2 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

const seal = createSeal(parseMasterKeys(generateMasterKeyLine('test')))
const renderError = (error: unknown): RenderedAnswer => ({
  ...renderErrorResponse(error, { svcRequestId: newId(), baseUrl: 'http://127.0.0.1' }),
  isTemporary: isTemporaryError(error),
})

const outcomes = openOutcomeRecorder({
  log: { warn: () => undefined },
  waitMilliseconds: 1_000,
})

/** Whether the response to a request is replayed to its repetition, and that replay. */
async function repeated(run: () => Promise<RenderedAnswer>) {
  const { pool } = database
  const find = createRequestFinder(pool)
  const tools = {
    pool,
    seal,
    digest: async (text: string) => text,
    outcomes,
    clock: movableClock(),
    log: { info: () => undefined },
    find,
  }
  const key = { partnerId: newId(), operation: 'POST /x', key: newId(), fingerprint: 'same' }
  const execute = async (carryOut: () => Promise<RenderedAnswer>) => {
    const once = { tools, key, stored: find(key), successStatus: 200, storesAnswer: false, renderError }
    return await serveIdempotent(once, carryOut)
  }
  const first = await execute(run)
  const again = await execute(async () => ({ status: 200, headers: {}, body: '"later"' }))
  return { first, again, isReplayed: again.headers['idempotent-replayed'] === 'true' }
}

/** What ends by itself, or is ended by a user, a partner or a bank, while the request stays as it is. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set([
  'INVALID_CONSENT',
  'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
  'ACCESS_DENIED',
  'SERVICE_CLOSED',
  'INACTIVE_SUBSCRIPTION',
  'COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS',
  'InvalidCreationTime',
  'InvalidForwardCurrency',
  'InvalidForwardExchangeServiceTime',
  'Forbidden',
  'RequestTimeout',
  'Conflict',
  'TooManyRequests',
  'InternalServerError',
  'ServiceUnavailable',
  'OutcomeUnknown',
  'temporarily_unavailable',
  'server_error',
])

const KINDS = {
  'bad-request': 'BadRequest',
  unauthenticated: 'TokenMissing',
  forbidden: 'Forbidden',
  'not-found': 'NotFound',
  conflict: 'Conflict',
  'too-large': 'ContentTooLarge',
  'too-many-requests': 'TooManyRequests',
  unavailable: 'ServiceUnavailable',
} as const satisfies { readonly [kind in ApiErrorReason]?: ErrorCode }

it('is decided by the code of the error: those whose cause can end are these, and every rejected token', () => {
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[]
  const expected = codes.filter((code) => TEMPORARY.has(code) || code.startsWith('Token'))
  expect(codes.filter((code) => ERROR_CATALOGUE[code].isTemporary)).toEqual(expected)
})

it('holds for every error: a lasting one is replayed byte for byte, a temporary one is not stored', async () => {
  const coded = [...FAILURE_CODES, ...Object.keys(CODED_ERRORS)] as (ErrorCode & ApiErrorReason)[]
  const rows: readonly (readonly [string, ErrorCode, unknown])[] = [
    ...coded.map((code) => [code, code, apiError(code, 'Why')] as const),
    ...Object.entries(KINDS).map(([kind, code]) => [kind, code, apiError(kind as keyof typeof KINDS, 'Why')] as const),
    ...VALIDATION_CODES.map((code) => [code, code, invalidRequest('.x', 'is wrong', code)] as const),
    ['a bug', 'InternalServerError', new Error('a bug')],
    ['with Retry-After', 'Conflict', apiError('bad-request', 'Why', { retryAfterSeconds: 3 })],
    [
      'about a state',
      'Conflict',
      new InvalidRequestError([{ code: 'InvalidRequest', path: '.x', reason: 'is open', isTemporary: true }]),
    ],
  ]
  await forEachRow(
    rows,
    ([name]) => name,
    async ([, code, error]) => {
      const { first, again, isReplayed } = await repeated(async () => {
        throw error
      })
      expect(isReplayed).toBe(!ERROR_CATALOGUE[code].isTemporary)
      // A stored response would lose it.
      expect(isReplayed && 'retry-after' in first.headers).toBe(false)
      expect([again.status, again.body]).toEqual(isReplayed ? [first.status, first.body] : [200, '"later"'])
    },
  )
})
