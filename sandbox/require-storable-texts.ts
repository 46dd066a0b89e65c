/** Rejects requests to the sandbox's programs with text that PostgreSQL cannot store: U+0000 or a lone surrogate. */
import type { FastifyRequest } from 'fastify'
import { findInvalidStrings } from '../gateway/platform/http/validation/validate-strings.ts'

/** Throws an error of status 400 for such text in the path, the query or the body. */
export async function requireStorableTexts({ params, query, body }: FastifyRequest): Promise<void> {
  for (const part of [params, query, body]) {
    const [first] = await findInvalidStrings(part, 1)
    if (first !== undefined) {
      throw Object.assign(new Error(`${first.path}: ${first.reason}`), { statusCode: 400 })
    }
  }
}
