/** Calls identity providers over HTTP for `openid-client`, with limits on time and size, without redirects. */
import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import { Agent, errors, request } from 'undici'
import { unescapeMemberNames } from '../platform/parse-json.ts'
import { IdentityProviderError } from './identity-provider.ts'

/** For the whole call including the connection, because a user waits for it. */
const CALL_MILLISECONDS = 10_000
/** A key set with certificates has some tens of kilobytes. */
const ANSWER_BYTES_MAX = 512 * 1024

/** Certificates are verified, whatever an environment variable says for the entire process. */
const dispatcher = new Agent({ connect: { rejectUnauthorized: true }, maxResponseSize: ANSWER_BYTES_MAX })

/** Sends the request and reads the whole response. Throws `unavailable` without one, and for a temporary error. */
export const callIdentityProvider: CustomFetch = async (url, request) => {
  const response = await exchange(url, request)
  if (response.status >= 500 || response.status === 429) {
    throw new IdentityProviderError(
      'unavailable',
      `The identity provider at ${new URL(url).host} answered ${response.status}`,
    )
  }
  return response
}

async function exchange(url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> {
  try {
    const { statusCode: status, ...response } = await request(url, {
      dispatcher,
      method,
      headers,
      body: body instanceof URLSearchParams ? body.toString() : null,
      signal: AbortSignal.timeout(CALL_MILLISECONDS),
    })
    const text = unescapeMemberNames(await response.body.text())
    return new Response(text === '' ? null : text, { status, headers: { 'content-type': 'application/json' } })
  } catch (error) {
    if (error instanceof errors.ResponseExceededMaxSizeError) {
      throw new IdentityProviderError(
        'misconfigured',
        `The response of an identity provider exceeds ${ANSWER_BYTES_MAX} bytes`,
      )
    }
    // The error may contain the URL with an authorisation code: only its code is reported.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer in time'
    throw new IdentityProviderError(
      'unavailable',
      `The identity provider at ${new URL(url).host} did not answer (${reason})`,
    )
  }
}
