/** Tests what all programs of the sandbox share, with the smallest of them. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openLog } from '../gateway/platform/observability/log.ts'
import { freshDatabase } from '../gateway/testing/database/fresh-database.ts'
import { eventually } from '../gateway/testing/gateway/eventually.ts'
import { startSandboxBank } from './bank/bank.ts'
import { startSandboxFx } from './fx/fx-provider.ts'
import { startIdentityProvider } from './identity-provider/identity-provider.ts'
import { startProgram } from './testing/program-guarantees.ts'

const MAIN = new URL('./identity-provider/main.ts', import.meta.url)

const at = { host: '127.0.0.1', log: openLog({ program: 'sandbox', level: 'error' }) }
/** Each program with a URL that it serves, that of its control API, and what selects its faults. */
const programs = {
  bank: async (connectionString: string) => {
    const bank = await startSandboxBank({ ...at, connectionString, pagesPort: 0, xs2aPort: 0 })
    const of = { bank: 'FJORNO22', operation: '*' }
    return { served: `${bank.urlOf('fjordbanken')}/v1/accounts`, controlUrl: bank.pagesUrl, of, close: bank.close }
  },
  'FX provider': async (connectionString: string) => {
    const { url, controlUrl, close } = await startSandboxFx({ ...at, connectionString, port: 0, controlPort: 0 })
    return { served: `${url}/v2/transactions/find`, controlUrl, of: {}, close }
  },
  'identity provider': async (connectionString: string) => {
    const { url, controlUrl, close } = await startIdentityProvider({ ...at, connectionString, port: 0, controlPort: 0 })
    return { served: url, controlUrl, of: {}, close }
  },
}

test('a program with an invalid setting prints its name, and ends with 1', async () => {
  const child = startProgram(MAIN, { HAVN_SANDBOX_IDENTITY_PORT: '80000' })
  let reported = ''
  child.stderr?.on('data', (chunk) => {
    reported += chunk
  })
  const [code] = await once(child, 'exit')
  expect(code).toBe(1)
  await eventually(() => expect(reported).toContain('HAVN_SANDBOX_IDENTITY_PORT'))
})

test.each(Object.entries(programs))(
  'a %s that is down accepts no connection, and has the faults that were left after a restart',
  async (name, start) => {
    const database = await freshDatabase()
    let running = await start(database.connectionString)
    const faults = async (init: RequestInit = {}) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${running.controlUrl}/control/faults`, {
        ...init,
        ...(init.body ? { headers } : {}),
      })
      return { status: response.status, body: await response.json() }
    }
    const inject = (fault: object) => faults({ method: 'POST', body: JSON.stringify({ ...running.of, ...fault }) })
    const unavailable = name === 'bank' ? { effect: 'status', status: 503 } : { effect: 'unavailable' }
    await inject({ ...unavailable, times: 2 })
    expect((await fetch(running.served)).status).toBe(503)
    expect((await inject({ effect: 'down', times: 1 })).status).toBe(400)
    const left = [
      { ...running.of, ...unavailable, times: 1 },
      { ...running.of, effect: 'down' },
    ]
    expect((await inject({ effect: 'down' })).body).toEqual(left)
    const refused = { cause: { code: 'ECONNREFUSED' } }
    await expect(fetch(running.served)).rejects.toMatchObject(refused)
    await running.close()
    running = await start(database.connectionString)
    expect((await faults()).body).toEqual(left)
    await expect(fetch(running.served)).rejects.toMatchObject(refused)
    await faults({ method: 'DELETE' })
    expect((await fetch(running.served)).status).not.toBe(503)
    await running.close()
    running = await start(database.connectionString)
    expect((await faults()).body).toEqual([])
    await running.close()
    await database.drop()
  },
)
