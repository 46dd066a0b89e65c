/** Plays Currencycloud over HTTP with recorded answers, and remembers what it was asked. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What is answered; `cut` sends half of it and breaks off, `null` breaks off without a word. */
export type ProviderAnswer = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly cut?: boolean
} | null

/** One question as it arrived; `fields` are those of the form or the query. */
export type Asked = {
  readonly method: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly token: string | null
  readonly contentType: string | null
}

export type RecordedProvider = {
  readonly url: string
  /** Every question but logins, in order. */
  readonly asked: Asked[]
  readonly logins: Asked[]
  /** Answers in order to questions such as `GET /v2/rates/detailed`; the last one stays. */
  answer(question: string, ...answers: readonly (ProviderAnswer | ((asked: Asked) => ProviderAnswer))[]): void
  close(): Promise<void>
}

type Recorded = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly status: number
  readonly response: Readonly<Record<string, unknown>>
}

/** The calls of a recording. */
export function recordedCalls(name: string): readonly Recorded[] {
  const file = new URL(`../../../data/recorded-answers/currencycloud/${name}.json`, import.meta.url)
  const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as { exchanges: readonly Recorded[] }
  return exchanges
}

/** The answer of the last call of a recording, with some members changed. */
export function recorded(name: string, change: Readonly<Record<string, unknown>> = {}) {
  const last = recordedCalls(name).at(-1)
  if (last === undefined) {
    throw new Error(`There is nothing in the recording ${name}`)
  }
  return { status: last.status, body: { ...last.response, ...change } }
}

export const NOT_FOUND: ProviderAnswer = recorded('not-found')
const LOGIN = 'POST /v2/authenticate/api'

/** Opens it on a free port; what has no answer is 404, and logins get tokens with a number. */
export async function openRecordedProvider(): Promise<RecordedProvider> {
  const answers = new Map<string, (ProviderAnswer | ((asked: Asked) => ProviderAnswer))[]>()
  const asked: Asked[] = []
  const logins: Asked[] = []
  answers.set(LOGIN, [() => ({ status: 200, body: { auth_token: `token-${logins.length}` } })])
  const server = createServer((request, response) => {
    take(request).then((question) => {
      const name = `${question.method} ${question.path}`
      const mine = name === LOGIN ? logins : asked
      mine.push(question)
      const waiting = answers.get(name) ?? [NOT_FOUND]
      const next = waiting.length > 1 ? waiting.shift() : waiting[0]
      give(response, typeof next === 'function' ? next(question) : (next ?? null))
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
    asked,
    logins,
    answer: (question, ...given) => void answers.set(question, [...given]),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function take(request: IncomingMessage): Promise<Asked> {
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

function give(response: ServerResponse, answer: ProviderAnswer): void {
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
