/** Calls identity providers: limits on everything that may wait or grow, no redirects, and JSON or nothing. */

import { request } from 'undici'
import { parseJson } from '../platform/parse-json.ts'
import { IdentityRefusal } from './identity-refusal.ts'

/** What a provider answered; a body that is no JSON is undefined. */
export type ProviderAnswer = { readonly status: number; readonly body: unknown }

export type ProviderCall = {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** All in all, connecting included: a user waits for it. */
const CALL_MILLISECONDS = 10_000
/** A set of keys with certificates has some tens of kilobytes. */
const ANSWER_BYTES_MAX = 512 * 1024

/** Sends it and reads the whole answer, whatever its status is. Throws `unavailable` when there is none. */
export async function callProvider(url: string, { method, headers, body }: ProviderCall): Promise<ProviderAnswer> {
  const signal = AbortSignal.timeout(CALL_MILLISECONDS)
  try {
    const answer = await request(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      body: body ?? null,
      signal,
    })
    return { status: answer.statusCode, body: parsed(await textOf(answer.body)) }
  } catch (error) {
    if (error instanceof IdentityRefusal) {
      throw error
    }
    // The reason may hold the address, and that a code: only its kind is told.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer in time'
    throw new IdentityRefusal('unavailable', `The identity provider at ${new URL(url).host} gave no answer (${reason})`)
  }
}

/** Refuses an answer that is no success: what passes by itself as `unavailable`, all else as `misconfigured`. */
export function requireAnswered(what: string, { status }: ProviderAnswer): void {
  if (status !== 200) {
    const isPassing = status >= 500 || status === 429
    throw new IdentityRefusal(isPassing ? 'unavailable' : 'misconfigured', `${what} was answered with ${status}`)
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += part.length
    if (bytes > ANSWER_BYTES_MAX) {
      throw new IdentityRefusal('misconfigured', 'An identity provider answered with more than it has to say')
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
