/** Simulates Currencycloud over HTTP with recorded responses, and records its requests. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A response; `cut` sends half of it and disconnects, `null` disconnects without a response. */
export type ProviderAnswer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly cut?: boolean
} | null

/** A received request; `fields` are those of the form or the query. */
export type RecordedRequest = {
  readonly method: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly token: string | null
  readonly contentType: string | null
}

export type RecordedProvider = {
  readonly url: string
  /** Every request except logins, in order. */
  readonly requested: RecordedRequest[]
  readonly logins: RecordedRequest[]
  /** Sets the responses to a request such as `GET /v2/rates/detailed`, in order; the last one repeats. */
  answer(
    question: string,
    ...answers: readonly (ProviderAnswer | ((requested: RecordedRequest) => ProviderAnswer))[]
  ): void
  close(): Promise<void>
}

type Recorded = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly status: number
  readonly response: Readonly<Record<string, unknown>>
}

export function recordedCalls(name: string): readonly Recorded[] {
  const file = new URL(`../../../data/recorded-answers/currencycloud/${name}.json`, import.meta.url)
  const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as { exchanges: readonly Recorded[] }
  return exchanges
}

/** The response of the last exchange of a recording, with some fields changed. */
export function recorded(name: string, change: Readonly<Record<string, unknown>> = {}) {
  const last = recordedCalls(name).at(-1)
  if (last === undefined) {
    throw new Error(`The recording ${name} is empty`)
  }
  return { status: last.status, body: { ...last.response, ...change } }
}

export const NOT_FOUND: ProviderAnswer = recorded('not-found')
const LOGIN = 'POST /v2/authenticate/api'

/** Opens it on a free port; requests without a response get 404, and logins get numbered tokens. */
export async function openRecordedProvider(): Promise<RecordedProvider> {
  const answers = new Map<string, (ProviderAnswer | ((requested: RecordedRequest) => ProviderAnswer))[]>()
  const requested: RecordedRequest[] = []
  const logins: RecordedRequest[] = []
  answers.set(LOGIN, [() => ({ status: 200, body: { auth_token: `token-${logins.length}` } })])
  const server = createServer((request, response) => {
    readRequest(request).then((question) => {
      const name = `${question.method} ${question.path}`
      const requests = name === LOGIN ? logins : requested
      requests.push(question)
      const queued = answers.get(name) ?? [NOT_FOUND]
      const next = queued.length > 1 ? queued.shift() : queued[0]
      sendResponse(response, typeof next === 'function' ? next(question) : (next ?? null))
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    requested,
    logins,
    answer: (question, ...given) => void answers.set(question, [...given]),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readRequest(request: IncomingMessage): Promise<RecordedRequest> {
  const parts: Buffer[] = []
  for await (const part of request) {
    parts.push(part as Buffer)
  }
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const form = new URLSearchParams(Buffer.concat(parts).toString())
  const token = request.headers['x-auth-token']
  return {
    method: request.method ?? '',
    path: pathname,
    fields: Object.fromEntries([...searchParams, ...form]),
    token: typeof token === 'string' ? token : null,
    contentType: request.headers['content-type'] ?? null,
  }
}

function sendResponse(response: ServerResponse, answer: ProviderAnswer): void {
  if (answer === null) {
    response.socket?.destroy()
    return
  }
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...answer.headers }
  response.writeHead(answer.status, headers)
  if (answer.cut === true) {
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
  } else {
    response.end(text)
  }
}
