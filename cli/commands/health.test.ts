/** Tests `havn health` and `havn migrate` with settings that are blank, or name another address. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { checkHealth } from './health.ts'
import { migrateDatabase } from './migrate.ts'

it('is that of the address at which the gateway listens', async () => {
  const server = createServer((_request, response) => response.end())
  await once(server.listen(0, '127.0.0.2'), 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await checkHealth({ HAVN_HOST: '127.0.0.2', HAVN_PORT: String(port) })
  } finally {
    server.close()
  }
})

it('is not asked for at a port of a blank setting, and the database of one is missing', async () => {
  await expect(checkHealth({ HAVN_PORT: '0', HAVN_WORKER_PORT: ' ' })).rejects.toThrow('and both are 0')
  await expect(migrateDatabase({ DATABASE_URL: ' ' }, {})).rejects.toThrow('DATABASE_URL is missing')
  await expect(migrateDatabase({ DATABASE_URL: 'db.internal/havn' }, {})).rejects.toThrow('must be a PostgreSQL URL')
})
