/** Executes a request once per `Idempotency-Key`; repetitions get the response of the first. */

import { createHash, type Hash } from 'node:crypto'
import { runYieldingToEventLoop } from '../../concurrency.ts'
import { DatabaseUnavailable } from '../../database/database-unavailable.ts'
import type { RenderedAnswer } from '../errors/render-error.ts'
import {
  beginIdempotent,
  finishIdempotent,
  type IdempotencyDependencies,
  type IdempotentRequest,
  idempotentRequest,
  replayStoredAnswer,
} from './idempotency.ts'
import type { IdempotencyKey, StoredRequest } from './idempotency-store.ts'

/** How one request is executed. */
export type IdempotentExecution = {
  readonly tools: IdempotencyDependencies
  readonly key: IdempotencyKey
  /** The earlier request with this key, as it was when this one came. */
  readonly stored: Promise<StoredRequest | null>
  /** Status of the operation's answer on success. */
  readonly successStatus: number
  /** Whether the operation starts and ends the request in its own statements. */
  readonly storesAnswer: boolean
  readonly renderError: (error: unknown) => RenderedAnswer
}

/** A response is stored unless the operation has stored it, or it is temporary. */
export async function serveIdempotent(
  once: IdempotentExecution,
  carryOut: (idempotent: IdempotentRequest | null) => Promise<RenderedAnswer>,
): Promise<RenderedAnswer> {
  const { tools, key, stored, storesAnswer, renderError } = once
  const request = { ...key, startedAt: tools.clock.real() }
  const earlier =
    (await replayStoredAnswer(tools, key, stored)) ?? (storesAnswer ? undefined : await beginIdempotent(tools, request))
  if (earlier !== undefined) {
    return earlier
  }
  const idempotent = storesAnswer ? idempotentRequest(tools, key, once.successStatus) : null
  const answer = await carryOut(idempotent).catch(renderError)
  if (storesAnswer && answer.status === 409) {
    return await answerOfConcurrentRequest(once, answer)
  }
  if (idempotent?.answerStored === true) {
    return answer
  }
  try {
    await finishIdempotent(tools, request, answer)
  } catch (error) {
    // The outcome is returned even when it cannot be stored: a 503 that names a payment must not become a bare 500.
    renderError(error)
    if (error instanceof DatabaseUnavailable) {
      // Otherwise a repetition would get 409 until the request counts as abandoned.
      tools.outcomes.record(() => finishIdempotent(tools, request, answer)).catch(() => undefined)
    }
  }
  return answer
}

/**
 * An operation that stores its own rows answers 409 when another request holds them: that request's response belongs to
 * the key.
 */
async function answerOfConcurrentRequest(
  { tools, key, renderError }: IdempotentExecution,
  conflict: RenderedAnswer,
): Promise<RenderedAnswer> {
  try {
    return (await replayStoredAnswer(tools, key)) ?? conflict
  } catch (error) {
    return renderError(error)
  }
}

/** How much is hashed between two yields to the event loop. */
const PIECE_CHARACTERS = 16 * 1024

/** The hash, and the end of the text that is not hashed yet. */
type Hashing = { readonly hash: Hash; piece: string }

/** Of the body as JSON without white space, since a partner need not repeat white space. */
export async function fingerprintOf(body: unknown, consentId: string | undefined): Promise<string> {
  const hashing = { hash: createHash('sha256'), piece: `${consentId ?? ''}\n` }
  await runYieldingToEventLoop(hashJson(hashing, body))
  return hashing.hash.update(hashing.piece).digest('base64url')
}

/**
 * Hashes what `JSON.stringify` would return; nothing for values that are not JSON. Yields only after a piece: every
 * level of the recursion passes a yield on.
 */
function* hashJson(hashing: Hashing, value: unknown): Generator<void, void> {
  if (typeof value !== 'object' || value === null) {
    hashing.piece += JSON.stringify(value) ?? ''
  } else {
    const names = Array.isArray(value) ? undefined : Object.keys(value)
    const count = names?.length ?? Object(value).length
    hashing.piece += names === undefined ? '[' : '{'
    for (let index = 0; index < count; index += 1) {
      const name = names?.[index]
      hashing.piece += `${index === 0 ? '' : ','}${name === undefined ? '' : `${JSON.stringify(name)}:`}`
      yield* hashJson(hashing, Reflect.get(value, name ?? index))
    }
    hashing.piece += names === undefined ? ']' : '}'
  }
  if (hashing.piece.length >= PIECE_CHARACTERS) {
    hashing.hash.update(hashing.piece)
    hashing.piece = ''
    yield
  }
}
