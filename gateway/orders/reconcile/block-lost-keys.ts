/** Answers repetitions of requests whose orders the database has lost, so that no order is submitted twice. */
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { renderErrorResponse } from '../../platform/http/errors/render-error.ts'
import { storeLostOutcome } from '../../platform/http/idempotency/idempotency.ts'
import { newId } from '../../platform/ids.ts'
import { instructionOf } from '../instruction.ts'
import type { LostSubmission } from './find-lost-submissions.ts'
import type { UsedKey } from './read-submission-log.ts'

const MESSAGE =
  'The order of this request was submitted to the bank before our database was restored, and is not submitted again. Ask ' +
  'us what became of it. If the bank does not hold it, order it again with a new Idempotency-Key'

/** Returns how many keys are blocked now; one that is in use again belongs to its new request. */
export async function blockLostKeys(
  { database, seal, clock, config }: Context,
  lost: readonly LostSubmission[],
  keyBySubject: ReadonlyMap<string, UsedKey>,
): Promise<number> {
  const instructions = lost.map(({ paymentId: id, payrollId = null }) => instructionOf({ id, payrollId }))
  let blocked = 0
  for (const [subjectId, { named }] of new Map(instructions.map((instruction) => [instruction.id, instruction]))) {
    const key = keyBySubject.get(subjectId)
    if (key !== undefined) {
      const error = apiError('conflict', MESSAGE, named)
      const answer = renderErrorResponse(error, { svcRequestId: newId(), baseUrl: config.baseUrl })
      const { partnerId, operation, idempotencyKey, fingerprint } = key
      const stored = { partnerId, operation, key: idempotencyKey, fingerprint }
      blocked += (await storeLostOutcome({ pool: database.pool, seal, clock }, stored, answer)) ? 1 : 0
    }
  }
  return blocked
}
