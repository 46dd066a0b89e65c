/** Answers a repeated request with the stored response of the first, so that retrying a POST is safe. */
import type pg from 'pg'
import type { Operation } from '../../../../contract/operation.ts'
import type { Clock } from '../../clock.ts'
import type { Seal } from '../../crypto/envelope-encryption.ts'
import type { KeyedDigest } from '../../crypto/keyed-digest.ts'
import { coalesceBySource } from '../../database/coalesce.ts'
import { DatabaseUnavailable } from '../../database/database-unavailable.ts'
import type { OutcomeRecorder } from '../../database/outcome-recorder.ts'
import type { Log } from '../../observability/log.ts'
import { apiError, IdempotencyKeyReusedError } from '../errors/api-error.ts'
import type { RenderedAnswer } from '../errors/render-error.ts'
import {
  claimRequest,
  findRequests,
  type IdempotencyAnswer,
  type IdempotencyKey,
  type IdempotencyStart,
  releaseKey,
  type StoredRequest,
  storeAnswer,
  storeLateAnswer,
} from './idempotency-store.ts'

export type IdempotencyDependencies = {
  readonly pool: pg.Pool
  readonly seal: Seal
  readonly digest: KeyedDigest
  readonly clock: Clock
  readonly outcomes: OutcomeRecorder
  readonly log: Pick<Log, 'info'>
}

/** Written when a request with a key creates something, by which the key is found when the database has lost its row. */
export const KEY_USED = 'a request with an Idempotency-Key creates a resource'

/** A request with a key, for operations that store submission and response in statements of their own. */
export type IdempotentRequest = {
  /** The row for the statement that stores the submission. */
  startRowFor(subjectId: string): IdempotencyStart
  /** The row for the statement that stores the outcome. */
  answerOf(answer: unknown): IdempotencyAnswer
  /** Whether an operation has stored the response already. */
  answerStored: boolean
}

/** Longer than any request may take; a request still open after it belongs to a process that died. */
const ABANDONED_AFTER = { minutes: 5 }
const ERROR_STATUS_MIN = 400
/** What is sealed of a response without a body. */
const NO_BODY = ''
/** A request takes about so long; an unknown outcome takes longer to be known. */
const RETRY_AFTER_SECONDS = { running: 1, unknown: 10 }

/** Finds the stored request of a key; concurrent requests share a statement. */
export const findRequest = coalesceBySource({ keyOf: ({ key }: IdempotencyKey) => key, run: findRequests })

/** The stored response of an equal request, or undefined when this is the first one. */
export async function replayStoredAnswer(
  tools: IdempotencyDependencies,
  key: IdempotencyKey,
  found: Promise<StoredRequest | null> = findRequest(tools.pool, key),
): Promise<RenderedAnswer | undefined> {
  const stored = await found
  return stored === null || isAbandoned(stored, tools.clock) ? undefined : renderStoredAnswer(tools, key, stored)
}

export type StartedRequest = IdempotencyKey & { readonly startedAt: Temporal.Instant }

/** Starts a request whose operation stores nothing by itself; an equal request that came first wins. */
export async function beginIdempotent(
  tools: IdempotencyDependencies,
  request: StartedRequest,
): Promise<RenderedAnswer | undefined> {
  const { pool, outcomes, clock } = tools
  const times = { now: request.startedAt, abandonedBefore: clock.real().subtract(ABANDONED_AFTER) }
  const begun = await claimRequest(pool, request, times).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) {
      // It may have started: a repetition would get 409 until it counts as abandoned.
      outcomes.record(() => releaseKey(pool, request, request.startedAt)).catch(() => undefined)
    }
    throw error
  })
  // A request that has released its key since is not replayed: its key is free again.
  return begun ? undefined : ((await replayStoredAnswer(tools, request)) ?? (await beginIdempotent(tools, request)))
}

/** Stores the outcome of a request, or frees its key when the outcome depends on something that can end. */
export async function finishIdempotent(
  { pool, seal, clock }: IdempotencyDependencies,
  { startedAt, ...key }: StartedRequest,
  { status, body, isTemporary }: RenderedAnswer,
): Promise<void> {
  if (isTemporary === true) {
    await releaseKey(pool, key, startedAt)
  } else {
    const sealed = seal.seal(JSON.stringify(body) ?? NO_BODY, idempotencyPurpose(key))
    await storeAnswer(pool, key, { status, sealed, at: clock.real() }, 'answered')
  }
}

/** Stores a response that became known only after the request had ended, for repetitions of the request. */
export async function storeLateOutcome(
  { pool, seal, clock }: Pick<IdempotencyDependencies, 'pool' | 'seal' | 'clock'>,
  key: Omit<IdempotencyKey, 'fingerprint'>,
  answer: unknown,
): Promise<void> {
  const sealed = seal.seal(JSON.stringify(answer), idempotencyPurpose(key))
  await storeLateAnswer(pool, key, { status: 200, sealed, at: clock.real() })
}

/**
 * Stores a response to repetitions of a request whose own row was lost; a key that is in use again keeps its request.
 * Returns whether it was stored.
 */
export async function storeLostOutcome(
  { pool, seal, clock }: Pick<IdempotencyDependencies, 'pool' | 'seal' | 'clock'>,
  key: IdempotencyKey,
  { status, body }: Pick<RenderedAnswer, 'status' | 'body'>,
): Promise<boolean> {
  const sealed = seal.seal(JSON.stringify(body) ?? NO_BODY, idempotencyPurpose(key))
  return await storeAnswer(pool, key, { status, sealed, at: clock.real() }, 'kept')
}

/** Gives an operation what it needs to store submission and response in its own statements. */
export function idempotentRequest(
  tools: IdempotencyDependencies,
  key: IdempotencyKey,
  status: number,
): IdempotentRequest {
  const { partnerId, operation: idempotencyOperation, key: idempotencyKey, fingerprint } = key
  const named = { partnerId, idempotencyOperation, idempotencyKey }
  return {
    answerStored: false,
    startRowFor: (subjectId) => {
      tools.log.info({ partnerId, operation: idempotencyOperation, idempotencyKey, fingerprint, subjectId }, KEY_USED)
      const idempotencyStartedAt = tools.clock.real()
      return { ...named, idempotencyFingerprint: fingerprint, idempotencySubjectId: subjectId, idempotencyStartedAt }
    },
    answerOf: (answer) => ({
      ...named,
      idempotencyStatus: status,
      idempotencyAnswer: tools.seal.seal(JSON.stringify(answer), idempotencyPurpose(key)).toString('hex'),
      idempotencyFinishedAt: tools.clock.real(),
    }),
  }
}

function renderStoredAnswer(
  tools: IdempotencyDependencies,
  key: IdempotencyKey,
  stored: StoredRequest,
): RenderedAnswer {
  if (stored.fingerprint !== key.fingerprint) {
    throw new IdempotencyKeyReusedError()
  }
  if (stored.status === null || stored.sealedAnswer === null) {
    throw new RequestStillOpenError(stored)
  }
  const text = tools.seal.open(stored.sealedAnswer, idempotencyPurpose(key))
  const body: unknown = text === NO_BODY ? undefined : JSON.parse(text)
  return {
    status: stored.status,
    headers: { 'idempotent-replayed': 'true', ...requestIdIn(stored.status, body) },
    body,
  }
}

/** The body of an error names the first request, and the header is equal to it in every error. */
function requestIdIn(status: number, body: unknown): Readonly<Record<string, string>> {
  const { svcRequestId } = Object(body)
  return status >= ERROR_STATUS_MIN && typeof svcRequestId === 'string' ? { 'svc-request-id': svcRequestId } : {}
}

/** The first request with this key has no answer yet: it is running, or the outcome of its order is unknown. */
class RequestStillOpenError extends Error {
  readonly stored: StoredRequest

  constructor(stored: StoredRequest) {
    super('The first request with this Idempotency-Key is still running')
    this.stored = stored
  }
}

/** The error for a repetition of a request that is still open, which names what its operation has ordered; others unchanged. */
export function withOrderOfOpenRequest({ orders }: Operation, error: unknown): unknown {
  if (!(error instanceof RequestStillOpenError)) {
    return error
  }
  const { subjectId, outcomeUnknown } = error.stored
  const retryAfterSeconds = outcomeUnknown ? RETRY_AFTER_SECONDS.unknown : RETRY_AFTER_SECONDS.running
  if (orders?.endsWith('s') === true) {
    // It ordered several, or none.
    const message = `${error.message}, or its bulk was aborted and the bank may execute part of it. Check the status of its ${orders} before you order any of it again`
    return apiError('conflict', message, { retryAfterSeconds })
  }
  const extras = { retryAfterSeconds, ...(subjectId === null ? {} : { [`${orders}Id`]: subjectId }) }
  return outcomeUnknown
    ? apiError('conflict', `The bank was called and its response is unknown; follow the ${orders} named here`, extras)
    : apiError('conflict', error.message, extras)
}

function isAbandoned({ status, subjectId, startedAt }: StoredRequest, clock: Clock): boolean {
  const isOld = Temporal.Instant.compare(startedAt, clock.real().subtract(ABANDONED_AFTER)) < 0
  return status === null && subjectId === null && isOld
}

/** The purpose to which a sealed response is bound. */
export function idempotencyPurpose({ partnerId, operation, key }: Omit<IdempotencyKey, 'fingerprint'>): string {
  return `idempotency ${partnerId} ${operation} ${key}`
}
