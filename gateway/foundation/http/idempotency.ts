/** Answers a repeated request from what was kept of the first, so that retrying a POST is safe. */
import type pg from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Seal } from '../../platform/crypto/envelope-encryption.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import { ReusedKey, refuse } from '../../platform/http/errors/api-error.ts'
import type { RenderedAnswer } from '../../platform/http/errors/render-error.ts'
import {
  beginRequest,
  findRequests,
  type IdempotencyAnswer,
  type IdempotencyIntent,
  type IdempotencyKey,
  type KeptRequest,
  keepAnswer,
  keepLateAnswer,
  releaseKey,
} from '../../platform/http/idempotency/idempotency-store.ts'

/** What idempotency works with. */
export type IdempotencyTools = {
  readonly pool: pg.Pool
  readonly seal: Seal
  readonly clock: Clock
  readonly find: FindRequest
}

/** Looks up what an earlier request with a key left behind. */
export type FindRequest = (key: IdempotencyKey) => Promise<KeptRequest | undefined>

/** A request under a key, handed to verbs that keep intent and answer in statements of their own. */
export type IdempotentRequest = {
  /** The row that belongs into the statement which keeps the intent. */
  intentFor(subjectId: string): IdempotencyIntent
  /** The row that belongs into the statement which keeps the outcome. */
  answerOf(answer: unknown): IdempotencyAnswer
  /** Whether a verb has kept the answer already. */
  answerKept: boolean
}

/** Longer than any request of ours may take; a request still open then belongs to a process that died. */
const ABANDONED_AFTER = { minutes: 5 }
const KEY = /^[\x20-\x7e]{1,255}$/
/** Many payrolls came of it, or none. */
const BULK_OPEN =
  'The first request with this Idempotency-Key is still running, or its bulk was given up and the bank may carry out part ' +
  'of it; see what became of its payrolls before any of it is ordered again'
/** Answers that say nothing lasting about the request. */
const NOT_KEPT = new Set([401, 429, 500, 503])

/** Reads the header; undefined when the partner asked for no idempotency. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header !== undefined && (typeof header !== 'string' || !KEY.test(header))) {
    throw refuse('bad-request', 'The header Idempotency-Key must hold 1 to 255 printable ASCII characters')
  }
  return header
}

/** Makes the look-up of a process; concurrent requests share a statement. */
export function requestFinder(pool: pg.Pool): FindRequest {
  const find = coalesce<IdempotencyKey, { kept: KeptRequest | undefined }>({
    keyOf: ({ key }) => key,
    run: async (keys) => (await findRequests(pool, keys)).map((kept) => ({ kept })),
  })
  return async (key) => (await find(key)).kept
}

/** The answer of an earlier equal request, or undefined when this is the first one. */
export async function replay(tools: IdempotencyTools, key: IdempotencyKey): Promise<RenderedAnswer | undefined> {
  const kept = await tools.find(key)
  return kept === undefined || isAbandoned(kept, tools.clock) ? undefined : answerAgain(tools, key, kept)
}

/** Begins a request whose verb keeps nothing by itself; an equal request that came first wins. */
export async function begin(tools: IdempotencyTools, key: IdempotencyKey): Promise<RenderedAnswer | undefined> {
  const now = tools.clock.real()
  const begun = await beginRequest(tools.pool, key, { now, abandonedBefore: abandonedBefore(tools.clock) })
  return begun ? undefined : await replay(tools, key)
}

/** Keeps the outcome of a request, or frees its key when the outcome says nothing lasting. */
export async function finish(tools: IdempotencyTools, key: IdempotencyKey, answer: RenderedAnswer): Promise<void> {
  if (NOT_KEPT.has(answer.status)) {
    await releaseKey(tools.pool, key)
  } else {
    const sealed = tools.seal.seal(answer.body, idempotencyPurpose(key))
    await keepAnswer(tools.pool, key, { status: answer.status, sealed, at: tools.clock.real() })
  }
}

/** Keeps an answer that became known only after the request had ended, for whoever repeats it. */
export async function keepOutcome(
  { pool, seal, clock }: Omit<IdempotencyTools, 'find'>,
  key: Omit<IdempotencyKey, 'fingerprint'>,
  answer: unknown,
): Promise<void> {
  const sealed = seal.seal(JSON.stringify(answer), idempotencyPurpose(key))
  await keepLateAnswer(pool, key, { status: 200, sealed, at: clock.real() })
}

/** Gives a verb what it needs to keep intent and answer in its own statements. */
export function idempotentRequest(tools: IdempotencyTools, key: IdempotencyKey, status: number): IdempotentRequest {
  const { partnerId: partner_id, operation, key: name, fingerprint } = key
  return {
    answerKept: false,
    intentFor: (subjectId) => ({
      partner_id,
      operation,
      key: name,
      fingerprint,
      subject_id: subjectId,
      started_at: tools.clock.real().toString(),
    }),
    answerOf: (answer) => ({
      partner_id,
      operation,
      key: name,
      status,
      answer: tools.seal.seal(JSON.stringify(answer), idempotencyPurpose(key)).toString('hex'),
      finished_at: tools.clock.real().toString(),
    }),
  }
}

function answerAgain(tools: IdempotencyTools, key: IdempotencyKey, kept: KeptRequest): RenderedAnswer {
  if (kept.fingerprint !== key.fingerprint) {
    throw new ReusedKey()
  }
  if (kept.status === null || kept.sealedAnswer === null) {
    throw stillOpen(key, kept)
  }
  const body = tools.seal.open(kept.sealedAnswer, idempotencyPurpose(key))
  return { status: kept.status, headers: { 'idempotent-replayed': 'true' }, body }
}

function stillOpen({ operation }: IdempotencyKey, { subjectId, outcomeUnknown }: KeptRequest): Error {
  if (operation.endsWith('/payroll/bulk')) {
    return refuse('conflict', BULK_OPEN)
  }
  const kind = operation.includes('/payroll') ? 'payroll' : 'payment'
  const extras = subjectId === null ? {} : { [`${kind}Id`]: subjectId }
  return outcomeUnknown
    ? refuse('conflict', `The bank was asked and its answer is not known; follow the ${kind} named here`, extras)
    : refuse('conflict', 'The first request with this Idempotency-Key is still running', extras)
}

function isAbandoned(kept: KeptRequest, clock: Clock): boolean {
  const began = Temporal.Instant.compare(kept.startedAt, abandonedBefore(clock)) < 0
  return kept.status === null && kept.subjectId === null && began
}

function abandonedBefore(clock: Clock): Temporal.Instant {
  return clock.real().subtract(ABANDONED_AFTER)
}

/** What a sealed answer is bound to. */
export function idempotencyPurpose({ partnerId, operation, key }: Omit<IdempotencyKey, 'fingerprint'>): string {
  return `idempotency ${partnerId} ${operation} ${key}`
}
