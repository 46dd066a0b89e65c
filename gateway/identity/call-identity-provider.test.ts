/** Tests that identity providers are called only where their certificate is verified. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { testCertificates } from '../testing/gateway/test-certificates.ts'
import { callIdentityProvider } from './call-identity-provider.ts'

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
    const call = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
    await expect(callIdentityProvider(`https://127.0.0.1:${port}/`, call)).rejects.toThrow('did not answer')
    expect(requests).toBe(0)
  } finally {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
    await made.remove()
  }
})
