/** Tests what `npm start` reads from the environment, and its errors. */
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { LOOPBACK, requireFreePorts } from './free-ports.ts'
import { readStartSettings } from './start-settings.ts'

describe('readStartSettings', () => {
  it('has the documented defaults', () => {
    const { ports, workerPort, databaseUrl, dataDir } = readStartSettings({})
    expect(workerPort.number).toBe(0)
    expect(Object.values(ports).map(({ number }) => number)).toEqual([8080, 8081, 8101, 8084, 8094, 8085, 8095, 8086])
    expect(databaseUrl).toBeNull()
    expect(dataDir).toMatch(/\/\.havn$/)
  })

  it('allows webhooks to http unless a setting forbids them', () => {
    expect(readStartSettings({}).webhookHttp).toBe('1')
    expect(readStartSettings({ HAVN_WEBHOOK_HTTP: '0' }).webhookHttp).toBe('0')
  })

  it('accepts a custom port for the worker', () => {
    expect(readStartSettings({ HAVN_WORKER_PORT: '47001' }).workerPort.number).toBe(47_001)
  })

  it('reports every invalid setting at once', () => {
    const read = () => readStartSettings({ HAVN_PORT: 'eighty', HAVN_SANDBOX_XS2A_PORT: '65521' })
    expect(read).toThrow(
      /HAVN_PORT must be a port.*"eighty"[\s\S]*HAVN_SANDBOX_XS2A_PORT must be .* 65520, not "65521"/,
    )
  })

  it('rejects one port for two programs', () => {
    for (const number of [8101, 8116]) {
      expect(() => readStartSettings({ HAVN_PORT: String(number) })).toThrow(
        `HAVN_SANDBOX_XS2A_PORT and HAVN_PORT are both ${number}`,
      )
    }
    expect(() => readStartSettings({ HAVN_WORKER_PORT: '8080' })).toThrow(
      'HAVN_WORKER_PORT and HAVN_PORT are both 8080',
    )
  })
})

describe('requireFreePorts', () => {
  it('names a port in use, the variable that changes it and what to do', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve))
    const address = server.address()
    const number = typeof address === 'object' && address !== null ? address.port : 0
    const port = { program: 'the gateway', variable: 'HAVN_PORT', number }
    await expect(requireFreePorts([port])).rejects.toThrow(
      new RegExp(`Port ${number} is needed for the gateway.*HAVN_PORT=${number + 1000} npm start`),
    )
    await new Promise((resolve) => server.close(resolve))
    await expect(requireFreePorts([port])).resolves.toBeUndefined()
  })
})
