/** Receives the requests that examples send, and describes them as the contract's example does, for a comparison. */
import { fastify } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { consentVariable } from '../examples/example-variables.ts'
import { examplesOf, type RequestExample } from '../examples/request-example.ts'
import { filledPath, variableValues, withVariableValues } from './example-programs.ts'

export type ExampleCase = { readonly operation: Operation; readonly example: RequestExample }

export const EXAMPLE_CASES: readonly ExampleCase[] = Object.values<Operation>(operations).flatMap((operation) =>
  examplesOf(operation).map((example) => ({ operation, example })),
)

type Received = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** A server that answers the requests of all examples, in their order. */
export type ExampleReceiver = {
  readonly address: string
  /** How many requests have come. */
  count(): number
  /** The request of a case. */
  sent(index: number): object
  close(): Promise<void>
}

/** Starts it on loopback. */
export async function startExampleReceiver(): Promise<ExampleReceiver> {
  const received: Received[] = []
  const server = fastify()
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.all('/*', async ({ method, url, headers, body }) => {
    received.push({ method, url, headers, body: String(body ?? '') })
    return EXAMPLE_CASES[received.length - 1]?.example.answer ?? {}
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    address,
    count: () => received.length,
    sent: (index) => sentRequest(EXAMPLE_CASES[index], received[index], address),
    close: async () => await server.close(),
  }
}

function sentRequest(sample: ExampleCase | undefined, received: Received | undefined, address: string): object {
  const { method, url = '', headers = {}, body = '' } = received ?? {}
  const { pathname, searchParams } = new URL(url, address)
  const isForm = sample?.operation.bodyType === 'form'
  return {
    method,
    path: decodeURIComponent(pathname),
    query: Object.fromEntries(searchParams),
    authorization: headers['authorization'],
    consentId: headers['consent-id'],
    hasUser: headers['psu-ip-address'] !== undefined,
    ...(sample?.example.body === undefined
      ? {}
      : { body: isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body) }),
  }
}

export function expectedRequest({ operation, example }: ExampleCase): object {
  const { method, path, admits, psu } = operation
  const query = Object.entries(Object(withVariableValues(example.query))).map(([name, value]) => [name, String(value)])
  return {
    method,
    path: filledPath(path, example.params),
    query: Object.fromEntries(query),
    authorization: admits === 'anyone' ? undefined : `Bearer ${variableValues['token']}`,
    consentId: admits === 'consent' ? variableValues[consentVariable(operation).name] : undefined,
    hasUser: psu !== 'none',
    ...(example.body === undefined ? {} : { body: withVariableValues(example.body) }),
  }
}
