/** Tests which port an embedded PostgreSQL gets, and which stored properties of a cluster are accepted. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimPort, readClusterFile } from './postgres-cluster.ts'

/** The first port that Linux gives to outgoing connections and to listeners on port 0. */
const FIRST_EPHEMERAL_PORT = 32_768
const NEW_CLUSTER = { mark: 'aa', port: 0, password: 'bb' }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-cluster-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('claimPort', () => {
  it('chooses a port that the system assigns to no other program, and stores it', async () => {
    const port = await claimPort(folder, NEW_CLUSTER)
    expect(port).toBeGreaterThan(1024)
    expect(port).toBeLessThan(FIRST_EPHEMERAL_PORT)
    expect(await readClusterFile(folder)).toEqual({ ...NEW_CLUSTER, port })
  })

  it('keeps a port that is free, and chooses another one when it is not', async () => {
    const facts = { ...NEW_CLUSTER, port: await claimPort(folder, NEW_CLUSTER) }
    expect(await claimPort(folder, facts)).toBe(facts.port)
    const server = createServer()
    await once(server.listen(facts.port, '127.0.0.1'), 'listening')
    const port = await claimPort(folder, facts)
    server.close()
    expect(port).not.toBe(facts.port)
    expect(await readClusterFile(folder)).toEqual({ ...facts, port })
  })
})

describe('readClusterFile', () => {
  it.each(['', '{"mark":"aa"', 'null', '{"mark":"aa","port":"1","password":"bb"}', '{"port":1,"password":"bb"}'])(
    'takes %j for no cluster',
    async (text) => {
      await writeFile(join(folder, 'cluster.json'), text)
      expect(await readClusterFile(folder)).toBeUndefined()
    },
  )
})
