/** Creates a separate database for a test by cloning the migrated template. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { Value } from 'typebox/value'
import { inject } from 'vitest'
import { surviveLostConnections } from '../../platform/database/database.ts'
import { onServer, Template } from './template-database.ts'

/** A migrated, empty database. */
export type FreshDatabase = {
  readonly connectionString: string
  /** Closes all connections and deletes the database. */
  drop(): Promise<void>
}

/** How this process creates and drops databases. */
type Server = {
  readonly template: Template
  /** A connection costs PostgreSQL more than the statement that drops a database, so one is used again. */
  readonly pool: pg.Pool
}

let server: Promise<Server> | undefined

/** Clones the template in about 50 ms. Drop it in `afterAll` or `afterEach`; the rest is deleted after the test run. */
export async function freshDatabase(): Promise<FreshDatabase> {
  server ??= openServer()
  const { template, pool } = await server
  const name = `havn_test_${randomBytes(8).toString('hex')}`
  const quoted = pg.escapeIdentifier(name)
  // On disk the checkpoints of a copy cost more than writing its log.
  const strategy = template.isInMemory ? 'file_copy' : 'wal_log'
  await pool.query(`create database ${quoted} template ${pg.escapeIdentifier(template.name)} strategy ${strategy}`)
  return {
    connectionString: onServer(template.server, name),
    drop: async () => void (await pool.query(`drop database if exists ${quoted} with (force)`)),
  }
}

async function openServer(): Promise<Server> {
  const template = await borrowTemplate()
  const pool = new pg.Pool({
    connectionString: template.server,
    max: 1,
    idleTimeoutMillis: 0,
    // The worker ends while it is open.
    allowExitOnIdle: true,
  })
  // The server ends before the worker.
  surviveLostConnections(pool)
  return { template, pool }
}

async function borrowTemplate(): Promise<Template> {
  const answer = await fetch(inject('templateAddress'))
  if (!answer.ok) {
    throw new Error(`No database for this test: ${await answer.text()}`)
  }
  return Value.Parse(Template, await answer.json())
}
