/** Tests that a long body is parsed, or rejected, like a short one. */
import { expect, test } from 'vitest'
import { openLog } from '../observability/log.ts'
import { openServer } from './server.ts'

const server = openServer({
  log: openLog({ program: 'test', level: 'silent' }),
  baseUrl: 'http://gateway.example',
  trustProxy: 0,
})
server.post('/echo', { bodyLimit: 4_000_000 }, async ({ body }) => ({ body }))

async function post(payload: string | Buffer) {
  const headers = { 'content-type': 'application/json' }
  const { statusCode, json } = await server.inject({ method: 'POST', url: '/echo', headers, payload })
  return { statusCode, answer: json() }
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
/** Inserted before the tested value, so that this is reached in a later chunk. */
const LONG = Array.from({ length: 3_000 }, (_, n) => `{"number":${n},"name":"Åse Øvrebø €"}`).join(',')

test.each([
  ['a valid value', '{"a":[1,2]}', 200],
  ['the name of an object’s prototype', '{"__proto__":{"a":1}}', 400],
  ['the same name with an escape', '{"\\u005f_proto__":{"a":1}}', 400],
  ['an invalid value', '{"a":}', 400],
  ['an additional comma', '{"a":1},', 400],
  ['a wrong bracket', '{"a":1]', 400],
  ['62 more levels', nested(62), 200],
  ['63 more levels', nested(63), 400],
])('%s is the same alone and after a thousand others', async (_what, text, status) => {
  const [short, long] = [await post(`{"x":[${text}]}`), await post(`{"x":[${LONG},${text}]}`)]
  expect([short.statusCode, long.statusCode]).toEqual([status, status])
  expect(long.answer.message).toBe(short.answer.message)
})

test('a long body is parsed with or without a byte order mark', async () => {
  const text = `{"x":[${LONG}],"y":"${'ø'.repeat(100_000)}"}`
  for (const payload of [text, `\uFEFF${text}`]) {
    const { statusCode, answer } = await post(payload)
    expect(statusCode).toBe(200)
    expect(answer.body).toEqual(JSON.parse(text))
  }
})

test('a body has at most one value for each 24 bytes that it may have', async () => {
  const texts = (count: number) => `["${'x'.repeat(20_000)}"${',0'.repeat(count)}]`
  expect((await post(texts(166_664))).statusCode).toBe(200)
  const { statusCode, answer } = await post(texts(166_665))
  expect([statusCode, answer.message]).toEqual([400, 'The body contains more than 166666 values'])
})

test('a long text or number is a valid body, too', async () => {
  expect((await post(`"${'x'.repeat(100_000)}"`)).answer.body).toHaveLength(100_000)
  expect((await post(`1${'0'.repeat(100_000)}`)).statusCode).toBe(200)
})
