/** Tests that the Postman collection sends the contract's examples, and that its scripts get a token and set the ids. */
import { runInNewContext } from 'node:vm'
import validator from '@har-sdk/validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bic, demoCredentials, organizationNumber } from '../../contract/examples/demo-fixture.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { dayFromToday } from '../browser/day-from-today.mjs'
import { EXAMPLE_VARIABLES } from '../examples/example-variables.ts'
import { examplesOf } from '../examples/request-example.ts'
import { filledPath, variableValues, withVariableValues } from '../testing/example-programs.ts'

type Field = { readonly key: string; readonly value: string }
type Request = {
  readonly method: string
  readonly header: readonly Field[]
  readonly url: { readonly raw: string }
  readonly body?: { readonly raw?: string; readonly urlencoded?: readonly Field[] }
}
type Event = { readonly listen: string; readonly script: { readonly exec: readonly string[] } }
type Item = { readonly name: string; readonly request: Request; readonly event?: readonly Event[] }

let gateway: TestGateway
let text: string
let collection: {
  readonly variable: readonly Field[]
  readonly event: readonly Event[]
  readonly item: readonly { readonly name: string; readonly event?: readonly Event[]; readonly item: readonly Item[] }[]
}
beforeAll(async () => {
  gateway = await startTestGateway()
  const response = await fetch(`${gateway.url}/docs/havn.postman_collection.json`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  text = await response.text()
  collection = JSON.parse(text)
})
afterAll(() => gateway.close())

/** With the values of variables, as Postman sends it. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\$?\w+)\}\}/g, (whole, name: string) => values[name] ?? whole)
}

/** Runs a script of the collection; `pm` has the parts of Postman that the scripts use. Returns how often it skipped. */
async function runScript(event: Event | undefined, variables: Map<string, string>, response?: object): Promise<number> {
  let skipped = 0
  const requests: Promise<void>[] = []
  /** Of a URL alone, it reads that. */
  const send = async (wanted: Request | string) => {
    if (typeof wanted === 'string') {
      return await fetch(wanted)
    }
    const fields = wanted.body?.urlencoded?.map(({ key, value }): [string, string] => [key, value])
    return await fetch(String(wanted.url), { method: wanted.method, body: new URLSearchParams(fields) })
  }
  const sendRequest = async (wanted: Request | string, answered: (error: unknown, response: object) => void) => {
    const got = await send(wanted)
    const body = await got.json()
    answered(null, { code: got.status, json: () => body })
  }
  const pm = {
    collectionVariables: { get: (name: string) => variables.get(name), set: variables.set.bind(variables) },
    info: { requestName: 'any' },
    execution: {
      skipRequest: () => {
        skipped += 1
      },
    },
    variables: { replaceIn: () => String(gateway.context.clock.real().epochMilliseconds / 1_000) },
    sendRequest: (...parts: Parameters<typeof sendRequest>) => requests.push(sendRequest(...parts)),
    response: { code: 200, json: () => response },
  }
  runInNewContext(event?.script.exec.join('\n') ?? '', { pm, console: { log: () => undefined } })
  await Promise.all(requests)
  return skipped
}

const all: readonly Operation[] = Object.values(operations)

test('is valid against the JSON schema of Postman collections in version 2.1', async () => {
  const postman = new validator.PostmanValidator()
  expect(await postman.verify(JSON.parse(text))).toEqual([])
  expect(
    await postman.verify(JSON.parse(text.replace('"listen": "prerequest"', '"listens": "prerequest"'))),
  ).not.toEqual([])
})

test('has every example, with its path, query, headers and body', () => {
  const cases = all.flatMap((operation) => examplesOf(operation).map((example) => ({ operation, example })))
  const items = new Map(collection.item.flatMap(({ item }) => item).map((item) => [item.name, item]))
  expect(items.size).toBe(cases.length)
  for (const { operation, example } of cases) {
    const name = example.index === 0 ? operation.id : `${operation.id}: ${example.summary}`
    const request = items.get(name)?.request ?? expect.fail(`There is no ${name}`)
    const path = filledPath(operation.path, example.params)
    const query = Object.entries(Object(withVariableValues(example.query))).map(([key, value]) => `${key}=${value}`)
    const base = operation.server === 'auth' ? 'authUrl' : 'baseUrl'
    expect([request.method, filled(request.url.raw, variableValues)]).toEqual([
      operation.method,
      `{{${base}}}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    ])
    const names = request.header.map(({ key }) => key)
    expect(names.includes('consent-id')).toBe(operation.admits === 'consent')
    expect(names.includes('PSU-IP-Address')).toBe(operation.psu !== 'none')
    if (request.body?.raw !== undefined) {
      expect(JSON.parse(filled(request.body.raw, variableValues)), name).toEqual(withVariableValues(example.body))
    }
  }
})

test('gets a token with the credentials of the demo partner, with which requests are answered', async () => {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  for (const [name, value] of Object.entries(demoCredentials)) {
    variables.set(name, value)
  }
  await runScript(collection.event[0], variables)
  // Business time, which is not wall time: the clock of the sandbox was moved.
  expect(variables.get('dueDate')).toBe(dayFromToday(gateway.context.clock.now().epochMilliseconds, 2))
  const { request } = collection.item.flatMap(({ item }) => item).find(({ name }) => name === 'listCompanies') ?? {}
  const url = filled(request?.url.raw ?? '', Object.fromEntries(variables))
  const response = await fetch(url, { headers: { authorization: `Bearer ${variables.get('token')}` } })
  expect(response.status).toBe(200)
  variables.set('tokenExpires', '0').set('clientSecret', 'wrong')
  await expect(runScript(collection.event[0], variables)).rejects.toThrow('check clientId and clientSecret')
})

test('sets the ids of responses as variables', async () => {
  for (const { source, example, path, name, value } of EXAMPLE_VARIABLES) {
    const { summary, answer } = examplesOf({ id: source })[example] ?? expect.fail(`There is no example of ${source}`)
    const title = example === 0 ? source : `${source}: ${summary}`
    const item = collection.item.flatMap((folder) => folder.item).find((one) => one.name === title)
    const variables = new Map<string, string>()
    await runScript(item?.event?.[0], variables, Object(answer))
    expect([path, variables.get(name)]).toEqual([path, value])
  }
})

test('sends nothing destructive before the reader has allowed it, and then nothing with the demo company', async () => {
  const isDestructive = ({ name }: Item) => all.find(({ id }) => id === name.split(':')[0])?.destructive !== undefined
  const last = collection.item.at(-1) ?? expect.fail('There is no folder')
  expect(last.item.every(isDestructive)).toBe(true)
  expect(collection.item.slice(0, -1).flatMap(({ item }) => item.filter(isDestructive))).toEqual([])
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  expect(await runScript(last.event?.[0], variables)).toBe(1)
  variables.set('allowDestructive', 'yes')
  expect(await runScript(last.event?.[0], variables)).toBe(0)
  for (const { name, request } of last.item) {
    const sent = filled(JSON.stringify(request), Object.fromEntries(variables))
    expect([name, sent.includes(organizationNumber), sent.includes(bic)]).toEqual([name, false, false])
  }
})
