/** Tests which responses are replayed under an Idempotency-Key: those that last, and no temporary one. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CODED_ERRORS } from '../../../../contract/errors/coded-errors.ts'
import { ERROR_CATALOGUE, type ErrorCode } from '../../../../contract/errors/error-catalogue.ts'
import { VALIDATION_CODES } from '../../../../contract/errors/error-codes.ts'
import { FAILURE_CODES } from '../../../../contract/errors/failures.ts'
import { operations } from '../../../../contract/operations.ts'
import { type FreshDatabase, freshDatabase } from '../../../testing/database/fresh-database.ts'
import { forEachRow } from '../../../testing/for-each-row.ts'
import { eventually } from '../../../testing/gateway/eventually.ts'
import { movableClock } from '../../clock.ts'
import { createSeal, generateMasterKeyLine, parseMasterKeys } from '../../crypto/envelope-encryption.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { DatabaseUnavailable } from '../../database/database-unavailable.ts'
import { openOutcomeRecorder } from '../../database/outcome-recorder.ts'
import { newId } from '../../ids.ts'
import { type ApiErrorReason, apiError, InvalidRequestError, invalidRequest } from '../errors/api-error.ts'
import { isTemporaryError, type RenderedAnswer, renderErrorResponse } from '../errors/render-error.ts'
import { findRequest, replayStoredAnswer, withOrderOfOpenRequest } from './idempotency.ts'
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

function executorOfKey(pool: pg.Pool) {
  const tools = {
    pool,
    seal,
    digest: async (text: string) => text,
    outcomes,
    clock: movableClock(),
    log: { info: () => undefined },
  }
  const key = { partnerId: newId(), operation: 'POST /x', key: newId(), fingerprint: 'same' }
  return async (carryOut: () => Promise<RenderedAnswer>) => {
    const once = { tools, key, stored: findRequest(pool, key), successStatus: 200, storesAnswer: false, renderError }
    return await serveIdempotent(once, carryOut)
  }
}

/** Whether the response to a request is replayed to its repetition, and that replay. */
async function repeated(run: () => Promise<RenderedAnswer>) {
  const execute = executorOfKey(database.pool)
  const first = await execute(run)
  const again = await execute(async () => ({ status: 200, headers: {}, body: { is: 'later' } }))
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
      const texts = [first, again].map(({ status, body }) => `${status} ${JSON.stringify(body)}`)
      expect(texts[1]).toBe(isReplayed ? texts[0] : '200 {"is":"later"}')
    },
  )
})

/** The pool, which executes the first statement that begins so and then loses its answer; `again` precedes the others. */
function losingAnswer(start: string, again: () => Promise<void>): pg.Pool {
  let count = 0
  const query = async (...parameters: Parameters<pg.Pool['query']>) => {
    const isMeant = JSON.stringify(parameters).includes(start)
    count += isMeant ? 1 : 0
    await (isMeant && count > 1 && again())
    const answer = await Reflect.apply(database.pool.query, database.pool, parameters)
    if (isMeant && count === 1) {
      throw new DatabaseUnavailable(new Error('Connection terminated unexpectedly'))
    }
    return answer
  }
  return Object.assign(Object.create(database.pool), { query })
}

const answering = async (): Promise<RenderedAnswer> => ({ status: 200, headers: {}, body: { is: 'done' } })

it('frees the key of a request that may have started there before the connection was lost', async () => {
  const execute = executorOfKey(losingAnswer('insert into idempotency', async () => undefined))
  await expect(execute(answering)).rejects.toBeInstanceOf(DatabaseUnavailable)
  await eventually(async () => expect(await execute(answering)).toMatchObject({ status: 200 }))
})

it('frees a key once: a repetition that started meanwhile holds it', async () => {
  const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pool = losingAnswer('delete from idempotency', () => started.promise)
  const execute = executorOfKey(pool)
  await execute(async () => renderError(new Error('a bug')))
  const running = execute(async () => {
    started.resolve()
    await released.promise
    return await answering()
  })
  await started.promise
  await outcomes.stop()
  await expect(execute(answering)).rejects.toThrow('is still running')
  released.resolve()
  expect(await running).toMatchObject({ status: 200 })
})

it('holds its key also where an equal request released it while this one looked for its answer', async () => {
  let claims = 0
  const query = async (...parameters: Parameters<pg.Pool['query']>) => {
    const isClaim = JSON.stringify(parameters).includes('insert into idempotency')
    claims += isClaim ? 1 : 0
    return isClaim && claims === 1
      ? { rowCount: 0, rows: [] }
      : await Reflect.apply(database.pool.query, database.pool, parameters)
  }
  const execute = executorOfKey(Object.assign(Object.create(database.pool), { query }))
  const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = execute(async () => {
    started.resolve()
    await released.promise
    return await answering()
  })
  await started.promise
  await expect(execute(answering)).rejects.toThrow('is still running')
  released.resolve()
  expect(await running).toMatchObject({ status: 200 })
})

it('names what a request that is still open has ordered, by its operation', async () => {
  const { initiateDomesticPayment, initiateCrossBorderPayment, initiatePayroll, initiatePayrollBulk, approvePayrolls } =
    operations
  const [subjectId, clock] = [newId(), movableClock()]
  const key = { partnerId: newId(), operation: 'POST /x', key: newId(), fingerprint: 'same' }
  const errorOf = async (operation: Parameters<typeof withOrderOfOpenRequest>[0], stored: object) => {
    const found = { fingerprint: 'same', startedAt: clock.real(), status: null, sealedAnswer: null, ...stored }
    const tools = {
      pool: database.pool,
      seal,
      digest: async (text: string) => text,
      outcomes,
      clock,
      log: { info: () => undefined },
    }
    const asStored = Promise.resolve({ subjectId: null, outcomeUnknown: false, ...found })
    const error = await replayStoredAnswer(tools, key, asStored).catch((thrown: unknown) => thrown)
    const { message, extras } = Object(withOrderOfOpenRequest(operation, error))
    return [message, extras]
  }
  const running = 'The first request with this Idempotency-Key is still running'
  const unknown = (kind: string) => `The bank was called and its response is unknown; follow the ${kind} named here`
  const ofBulk = `${running}, or its bulk was aborted and the bank may execute part of it. Check the status of its payrolls before you order any of it again`
  expect({
    domestic: await errorOf(initiateDomesticPayment, { subjectId, outcomeUnknown: true }),
    crossBorder: await errorOf(initiateCrossBorderPayment, { subjectId }),
    payroll: await errorOf(initiatePayroll, { subjectId, outcomeUnknown: true }),
    bulk: await errorOf(initiatePayrollBulk, { subjectId, outcomeUnknown: true }),
    approval: await errorOf(approvePayrolls, {}),
  }).toEqual({
    domestic: [unknown('payment'), { retryAfterSeconds: 10, paymentId: subjectId }],
    crossBorder: [running, { retryAfterSeconds: 1, paymentId: subjectId }],
    payroll: [unknown('payroll'), { retryAfterSeconds: 10, payrollId: subjectId }],
    bulk: [ofBulk, { retryAfterSeconds: 10 }],
    approval: [running, { retryAfterSeconds: 1 }],
  })
})
