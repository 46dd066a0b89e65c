/** Shows that a request that times out while waiting for a connection is not sent afterwards. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Agent } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange } from './http-exchange.ts'

const paths: (string | undefined)[] = []
const held: (() => void)[] = []
const server = createServer((request, response) => {
  paths.push(request.url)
  held.push(() => response.end())
})
const agent = new Agent({ connections: 1, pipelining: 1 })
let address = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`
})
afterAll(async () => {
  await agent.close()
  server.close()
})

test('times out on a bank that is never reached, and sends it nothing afterwards', async () => {
  const first = ask('/first', 60_000)
  await expect.poll(() => paths).toEqual(['/first'])
  await expect(ask('/second', 50)).rejects.toMatchObject({ sent: false })
  held[0]?.()
  expect((await first).status).toBe(200)
  const third = ask('/third', 60_000)
  await expect.poll(() => paths).toEqual(['/first', '/third'])
  held[1]?.()
  expect((await third).status).toBe(200)
})

function ask(path: string, callMilliseconds: number) {
  const request = { operation: 'probe', method: 'POST', url: `${address}${path}`, headers: {} } as const
  return exchange(agent, request, { callMilliseconds, responseBytesMax: 1_000 })
}
