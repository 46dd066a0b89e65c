/** Says a refusal in the terms of operations that do not use everybody's: no envelope, or a code for broken JSON. */
import { GENERAL_VALIDATION_CODE } from '../../../contract/errors/error-codes.ts'
import type { Operation } from '../../../contract/operation.ts'
import { Invalid, Refusal, ReusedKey, Unreadable } from '../../platform/http/errors/api-error.ts'
import type { RenderedAnswer } from '../../platform/http/errors/render-error.ts'

const WHOLE_BODY = '.'

/** What was thrown, as this operation tells it. */
export function inTermsOf({ malformed, validation }: Operation, error: unknown): unknown {
  if (error instanceof ReusedKey) {
    return error
  }
  if (error instanceof Invalid && malformed === 'parsing-error') {
    // Such an operation has a closed list of codes for its fields; the general one is not among them.
    const unlisted = error.problems.find(({ code }) => code === GENERAL_VALIDATION_CODE || !validation.includes(code))
    return unlisted === undefined ? error : new Unreadable('InvalidFieldFormat', unlisted)
  }
  if (!(error instanceof Refusal) || (error.reasonCode !== 'unreadable' && error.reasonCode !== 'bad-request')) {
    return error
  }
  const told = { reason: error.message, path: WHOLE_BODY }
  const isUnreadable = error.reasonCode === 'unreadable'
  if (malformed === 'parsing-error') {
    return new Unreadable(isUnreadable ? 'InvalidJsonRequest' : 'InvalidFieldFormat', told)
  }
  return isUnreadable && validation.includes('InvalidJsonRequest')
    ? new Invalid([{ code: 'InvalidJsonRequest', ...told }])
    : error
}

/** Whether an answer is told as plain text. */
export function isPlain({ plainRefusals }: Operation, { status }: Pick<RenderedAnswer, 'status'>): boolean {
  return plainRefusals?.some((plain) => plain === status) === true
}

/** The answer with the media type of its body; one that was kept for an Idempotency-Key has lost it. */
export function inMediaType(operation: Operation, answer: RenderedAnswer): RenderedAnswer {
  return isPlain(operation, answer)
    ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' } }
    : answer
}
