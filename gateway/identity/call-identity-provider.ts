/** Calls identity providers over HTTP with limits on time and size, without redirects. */

import { request } from 'undici'
import { parseJson } from '../platform/parse-json.ts'
import { IdentityProviderError } from './identity-provider-error.ts'

/** The response of a provider; a body that is not JSON is undefined. */
export type IdentityProviderResponse = { readonly status: number; readonly body: unknown }

export type IdentityProviderRequest = {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** For the whole call including the connection, because a user waits for it. */
const CALL_MILLISECONDS = 10_000
/** A key set with certificates has some tens of kilobytes. */
const ANSWER_BYTES_MAX = 512 * 1024

/** Sends the request and reads the whole response, whatever its status. Throws `unavailable` without one. */
export async function callIdentityProvider(
  url: string,
  { method, headers, body }: IdentityProviderRequest,
): Promise<IdentityProviderResponse> {
  const signal = AbortSignal.timeout(CALL_MILLISECONDS)
  try {
    const response = await request(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      body: body ?? null,
      signal,
    })
    return { status: response.statusCode, body: parsed(await textOf(response.body)) }
  } catch (error) {
    if (error instanceof IdentityProviderError) {
      throw error
    }
    // The error may contain the URL with an authorisation code: only its code is reported.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer in time'
    throw new IdentityProviderError(
      'unavailable',
      `The identity provider at ${new URL(url).host} did not answer (${reason})`,
    )
  }
}

/** Throws for a status other than 200: temporary errors as `unavailable`, all others as `misconfigured`. */
export function requireSuccessStatus(what: string, { status }: IdentityProviderResponse): void {
  if (status !== 200) {
    const isTemporary = status >= 500 || status === 429
    throw new IdentityProviderError(
      isTemporary ? 'unavailable' : 'misconfigured',
      `The request for ${what} returned status ${status}`,
    )
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += part.length
    if (bytes > ANSWER_BYTES_MAX) {
      throw new IdentityProviderError(
        'misconfigured',
        `The response of an identity provider exceeds ${ANSWER_BYTES_MAX} bytes`,
      )
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
