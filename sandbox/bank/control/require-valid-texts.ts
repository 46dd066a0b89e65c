/** Rejects control calls with texts that no database stores: those with U+0000 or a lone surrogate. */
import type { FastifyRequest } from 'fastify'
import { invalidTexts } from '../../../gateway/platform/http/validation/validate-strings.ts'
import { ControlRefusal } from './control-error.ts'

/** Throws 400 for such a text in the body. */
export async function requireValidTexts({ body }: FastifyRequest): Promise<void> {
  const [first] = await invalidTexts(body, 1)
  if (first !== undefined) {
    throw new ControlRefusal(400, `${first.path}: ${first.reason}`)
  }
}
