/** Posts a delivery to an endpoint as the gateway does: with its headers and bytes, without following redirects. */
import { CommandError } from '../command-error.ts'

/** A delivery, as it was received or made. */
export type PostedDelivery = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** What became of a delivery that was forwarded. */
export type Forwarded =
  | { readonly status: number; readonly milliseconds: number }
  | { readonly error: string; readonly milliseconds: number }

/** As long as the gateway waits for an answer. */
export const ANSWER_MILLISECONDS_MAX = 10_000
/** They belong to the connection that a delivery came on. */
const OF_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']

/** The URL of an endpoint; throws an error that begins with `what` unless it is one of http or https. */
export function endpointUrl(text: string, what: string, next?: string): URL {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new CommandError('invalid', `${what} must be an http or https URL, not ${JSON.stringify(text)}`, { next })
  }
  return url
}

/** Returns the status of the answer; rejects as `fetch` does, with a `TimeoutError` when there is none in time. */
export async function postDelivery(endpoint: URL, { headers, body }: PostedDelivery): Promise<number> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MILLISECONDS_MAX),
  })
  await response.body?.cancel()
  return response.status
}

/** The code of a network error, for example `ECONNREFUSED`; else the message. */
export function networkErrorText(error: unknown): string {
  const { cause, message } = Object(error)
  return String(Object(cause).code ?? message)
}

/** Sends on what was received. Never rejects: an endpoint that is not there is something to report. */
export async function forwardDelivery(endpoint: URL, { headers, body }: PostedDelivery): Promise<Forwarded> {
  const begun = performance.now()
  const elapsed = () => Math.round(performance.now() - begun)
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)))
  try {
    return { status: await postDelivery(endpoint, { headers: own, body }), milliseconds: elapsed() }
  } catch (error) {
    return { error: networkErrorText(error), milliseconds: elapsed() }
  }
}
