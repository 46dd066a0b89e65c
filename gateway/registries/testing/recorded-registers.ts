/** Simulates the registers of Norway over HTTP with recorded responses, and records the requests. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The response at a path; null never responds. */
export type RegisterAnswer = { readonly status: number; readonly body: string; readonly location?: string } | null

export type RecordedRegisters = {
  readonly address: string
  /** Path and accepted media type of each question, in order. */
  readonly questions: readonly string[]
  answer(path: string, answer: RegisterAnswer): void
  close(): Promise<void>
}

/** The text of a recorded answer. */
export function recording(name: string): string {
  const file = new URL(`../../../data/recorded-answers/brreg/${name}.json`, import.meta.url)
  return readFileSync(file, 'utf8')
}

/** Opens them on a free port; what has no answer is 404. */
export async function openRecordedRegisters(): Promise<RecordedRegisters> {
  const answers = new Map<string, RegisterAnswer>()
  const questions: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    questions.push(`${url} ${headers.accept}`)
    const answer = answers.has(url) ? answers.get(url) : { status: 404, body: '{"melding":"Ingen treff"}' }
    if (answer) {
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        ...(answer.location === undefined ? {} : { location: answer.location }),
      })
      response.end(answer.body)
    }
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  return {
    address: `http://127.0.0.1:${port}`,
    questions,
    answer: (path, answer) => answers.set(path, answer),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
