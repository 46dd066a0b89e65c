/** Sends the many requests of tests, like `fetch`, which takes more than twice the processor time. */
import { type Dispatcher, request } from 'undici'

type RequestBody = NonNullable<Dispatcher.RequestOptions['body']> | null

/** What `fetch` sends, except for the encodings that it would decode. */
const HEADERS = { accept: '*/*', 'user-agent': 'node' }
const FORM = 'application/x-www-form-urlencoded;charset=UTF-8'
const TEXT = 'text/plain;charset=UTF-8'
/** Of responses that cannot have a body. */
const STATUSES_WITHOUT_BODY = [204, 205, 304]

/** The answer, read whole. Follows no redirects. */
export const lightFetch: typeof fetch = async (input, { method = 'GET', headers, body, signal } = {}) => {
  if (input instanceof Request || body instanceof ReadableStream) {
    throw new TypeError('lightFetch sends no requests and streams of fetch')
  }
  const isForm = body instanceof URLSearchParams
  const typed = isForm ? { 'content-type': FORM } : typeof body === 'string' ? { 'content-type': TEXT } : {}
  const sent = new Headers({ ...HEADERS, ...typed })
  for (const [name, value] of new Headers(headers)) {
    sent.set(name, value)
  }
  const answer = await request(input, {
    method,
    headers: [...sent].flat(),
    body: (isForm ? body.toString() : (body ?? null)) as RequestBody,
    signal: signal ?? null,
  })
  const bytes = await answer.body.bytes()
  return new Response(STATUSES_WITHOUT_BODY.includes(answer.statusCode) ? null : bytes, {
    status: answer.statusCode,
    headers: Object.entries(answer.headers).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  })
}
