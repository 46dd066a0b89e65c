/** Tests that identity providers are called only where their certificate is verified, and that their responses are limited. */
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { testCertificates } from '../testing/gateway/test-certificates.ts'
import { callIdentityProvider } from './call-identity-provider.ts'

const CALL = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const

test('a certificate of an unknown authority is rejected, also with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  const made = await testCertificates()
  const { certificate: cert, key } = made.trust
  let requests = 0
  const server = createServer({ cert, key }, (_request, response) => {
    requests += 1
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  try {
    const { port } = server.address() as AddressInfo
    await expect(callIdentityProvider(`https://127.0.0.1:${port}/`, CALL)).rejects.toThrow('did not answer')
    expect(requests).toBe(0)
  } finally {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
    await made.remove()
  }
})

test('a response without an end is for operators to fix', async () => {
  const endless = function* () {
    for (;;) {
      yield Buffer.alloc(64 * 1024, ' ')
    }
  }
  const server = createHttpServer((_request, response) => Readable.from(endless()).pipe(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    await expect(callIdentityProvider(`http://127.0.0.1:${port}/`, CALL)).rejects.toMatchObject({
      kind: 'misconfigured',
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
