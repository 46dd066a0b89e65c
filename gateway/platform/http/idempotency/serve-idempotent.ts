/** Executes a request once per `Idempotency-Key`; repetitions get the response of the first. */

import { DatabaseUnavailable } from '../../database/database-unavailable.ts'
import type { RenderedAnswer } from '../errors/render-error.ts'
import {
  beginIdempotent,
  type FindRequest,
  finishIdempotent,
  type IdempotencyDependencies,
  type IdempotentRequest,
  idempotentRequest,
  replayStoredAnswer,
  type StartedRequest,
} from './idempotency.ts'
import type { IdempotencyKey } from './idempotency-store.ts'

/** How one request is executed. */
export type IdempotentExecution = {
  readonly tools: IdempotencyDependencies
  readonly key: IdempotencyKey
  /** The earlier request with this key, as it was when this one came. */
  readonly stored: ReturnType<FindRequest>
  /** Status of the operation's answer on success. */
  readonly successStatus: number
  /** Whether the operation starts and ends the request in its own statements. */
  readonly storesAnswer: boolean
  /** Reports and renders an error. */
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
  if (idempotent?.answerStored !== true) {
    await finishOrReport(once, request, answer)
  }
  return answer
}

/** The outcome is returned even when it cannot be stored: a 503 that names a payment must not become a bare 500. */
async function finishOrReport(
  { tools, renderError }: IdempotentExecution,
  request: StartedRequest,
  answer: RenderedAnswer,
): Promise<void> {
  try {
    await finishIdempotent(tools, request, answer)
  } catch (error) {
    renderError(error)
    if (error instanceof DatabaseUnavailable) {
      // Otherwise a repetition would get 409 until the request counts as abandoned.
      tools.outcomes.record(() => finishIdempotent(tools, request, answer)).catch(() => undefined)
    }
  }
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
