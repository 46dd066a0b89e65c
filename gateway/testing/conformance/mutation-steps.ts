/** Steps of mutations: which requests they apply to, and how a JSON body is changed. */
import { jsonOf, type Mutation, type Received, type Sent } from './mutating-proxy.ts'

type JsonObject = Record<string, unknown>

/** Whether a request is one to a path, given as a regular expression over the path without query. */
export function isTo({ method, path }: Sent, wanted: string, pattern: RegExp): boolean {
  return method === wanted && pattern.test(path.split('?')[0] ?? '')
}

/** Changes successful JSON responses of an operation. */
export function changeBody(
  method: string,
  pattern: RegExp,
  change: (body: JsonObject, sent: Sent) => void,
): NonNullable<Mutation['response']> {
  return (received, sent) => {
    if (received.status < 300 && isTo(sent, method, pattern)) {
      const body = jsonOf(received.body)
      change(body, sent)
      received.body = JSON.stringify(body)
    }
  }
}

/** Changes every value of all JSON bodies. */
export function changeValues(
  change: (name: string, value: unknown) => unknown,
  isChanged: (received: Received) => boolean = () => true,
): NonNullable<Mutation['response']> {
  return (received) => {
    if (isChanged(received) && /^[[{]/.test(received.body)) {
      received.body = JSON.stringify(JSON.parse(received.body, (name, value) => change(name, value)))
    }
  }
}

/** Changes the JSON body of requests to an operation. */
export function changeRequest(
  method: string,
  pattern: RegExp,
  change: (body: JsonObject) => void,
): NonNullable<Mutation['request']> {
  return (sent) => {
    if (isTo(sent, method, pattern) && /^\{/.test(sent.body)) {
      const body = jsonOf(sent.body)
      change(body)
      sent.body = JSON.stringify(body)
    }
  }
}

/** Removes parameters from the query of requests. */
export function ignoreQuery(pattern: RegExp, ...names: readonly string[]): NonNullable<Mutation['request']> {
  return (sent) => {
    const url = new URL(sent.path, 'http://proxy')
    if (pattern.test(url.pathname)) {
      for (const name of names) {
        url.searchParams.delete(name)
      }
      sent.path = `${url.pathname}${url.search}`
    }
  }
}

/** An object in a body; an empty one where there is none. */
export function objectAt(body: unknown, ...names: readonly string[]): JsonObject {
  return Object(names.reduce<unknown>((value, name) => Object(value)[name], body))
}

/** A list in a body; an empty one where there is none. */
export function listAt(body: unknown, ...names: readonly string[]): readonly JsonObject[] {
  const list: unknown = names.reduce<unknown>((value, name) => Object(value)[name], body)
  return Array.isArray(list) ? list : []
}
