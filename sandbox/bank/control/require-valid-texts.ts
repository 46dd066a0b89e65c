/** Rejects control calls with text that PostgreSQL cannot store: U+0000 or a lone surrogate. */
import type { FastifyRequest } from 'fastify'
import { findInvalidStrings } from '../../../gateway/platform/http/validation/validate-strings.ts'
import { ControlError } from './control-error.ts'

/** Throws 400 for such text in the body. */
export async function requireValidTexts({ body }: FastifyRequest): Promise<void> {
  const [first] = await findInvalidStrings(body, 1)
  if (first !== undefined) {
    throw new ControlError(400, `${first.path}: ${first.reason}`)
  }
}
