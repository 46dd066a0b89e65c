/** Carries a request out once under its `Idempotency-Key`; whoever repeats it gets the answer of the first. */

import type { RenderedAnswer } from '../../platform/http/errors/render-error.ts'
import type { IdempotencyKey } from '../../platform/http/idempotency/idempotency-store.ts'
import {
  begin,
  finish,
  type IdempotencyTools,
  type IdempotentRequest,
  idempotentRequest,
  replay,
} from './idempotency.ts'

/** How one request is carried out. */
export type Once = {
  readonly tools: IdempotencyTools
  readonly key: IdempotencyKey
  /** Status of the operation's answer on success. */
  readonly successStatus: number
  /** Whether the verb begins and ends the request in its own statements. */
  readonly keepsAnswer: boolean
  /** Reports and renders what was thrown. */
  readonly renderError: (error: unknown) => RenderedAnswer
}

/** Whatever is answered is kept unless the verb has kept it already. */
export async function serveOnce(
  once: Once,
  carryOut: (idempotent: IdempotentRequest | null) => Promise<RenderedAnswer>,
): Promise<RenderedAnswer> {
  const { tools, key, keepsAnswer, renderError } = once
  const earlier = (await replay(tools, key)) ?? (keepsAnswer ? undefined : await begin(tools, key))
  if (earlier !== undefined) {
    return earlier
  }
  const idempotent = keepsAnswer ? idempotentRequest(tools, key, once.successStatus) : null
  const answer = await carryOut(idempotent).catch(renderError)
  if (keepsAnswer && answer.status === 409) {
    return await answerOfOther(once, answer)
  }
  if (idempotent?.answerKept !== true) {
    await finishOrReport(once, answer)
  }
  return answer
}

/** What happened is told even when it cannot be kept: a 503 that names a payment must not become a bare 500. */
async function finishOrReport({ tools, key, renderError }: Once, answer: RenderedAnswer): Promise<void> {
  try {
    await finish(tools, key, answer)
  } catch (error) {
    renderError(error)
  }
}

/** A verb that keeps its own rows answers 409 when another request holds them: that request's answer is the key's. */
async function answerOfOther({ tools, key, renderError }: Once, conflict: RenderedAnswer): Promise<RenderedAnswer> {
  try {
    return (await replay(tools, key)) ?? conflict
  } catch (error) {
    return renderError(error)
  }
}
