/** Connects to the database with time limits, and explains why it cannot. */
import pg from 'pg'
import { openDatabase, surviveLostConnections } from '../../../gateway/platform/database/database.ts'
import { checksOf, type DatabaseSession, type Finding } from '../check.ts'

const PROGRAM = 'havn doctor'
/** Groups run side by side. */
const CONNECTIONS_MAX = 3
const CONNECT_MILLISECONDS = 5_000
const STATEMENT_MILLISECONDS = 5_000
const { error } = checksOf('operating.md#what-runs')

export const CONNECTION_CHECKS = {
  'database-name-unknown': error('the host of the database has no address (DNS)'),
  'database-port-closed': error('nothing listens at the address of the database'),
  'database-timeout': error('the host of the database does not respond (firewall)'),
  'database-login': error('the database rejects the user, its password or the database name'),
  'database-unreachable': error('the database cannot be used for another reason, e.g. TLS'),
}

/** Opens connections without the settings that gateways and workers use on theirs. */
export async function openSession(connectionString: string): Promise<DatabaseSession> {
  if (connectionString === '') {
    return { error: undefined }
  }
  try {
    const pool = new pg.Pool({
      connectionString,
      application_name: PROGRAM,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      query_timeout: STATEMENT_MILLISECONDS,
      max: CONNECTIONS_MAX,
    })
    surviveLostConnections(pool)
    await pool.query('select 1')
    return { pool, stores: openDatabase({ connectionString, applicationName: PROGRAM, connectionsMax: 1 }) }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

export async function closeSession(session: DatabaseSession): Promise<void> {
  if ('pool' in session) {
    await Promise.allSettled([session.pool.end(), session.stores.close()])
  }
}

/** Why there is no connection. The URL has a password, so that only its host is shown. */
export function connectionFinding(error: Error, connectionString: string): Finding {
  const { hostname, port, searchParams } = URL.parse(connectionString) ?? new URL('postgres://unreadable')
  const host = `${searchParams.get('host') ?? hostname}${port === '' ? '' : `:${port}`}`
  const code = 'code' in error ? String(error.code) : ''
  const finding = (check: keyof typeof CONNECTION_CHECKS, problem: string, action: string): Finding => {
    return { check, problem, where: 'DATABASE_URL', action }
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const action = `Correct the host name, or the DNS of this host: getent hosts ${hostname}`
    return finding('database-name-unknown', `The host ${host} has no address (${code})`, action)
  }
  if (code === 'ECONNREFUSED') {
    const action = 'Start PostgreSQL, correct the port, or let it listen (listen_addresses).'
    return finding('database-port-closed', `Nothing listens at ${host}`, action)
  }
  if (code === 'ETIMEDOUT' || /timeout/i.test(error.message)) {
    const problem = `${host} did not respond within ${CONNECT_MILLISECONDS / 1_000} seconds`
    return finding('database-timeout', problem, 'Allow the connection in the firewalls between both hosts.')
  }
  if (/^(28|3D)/.test(code)) {
    const action = 'Correct user, password and database name, or pg_hba.conf of the server.'
    return finding('database-login', `${host} rejects the login: ${error.message}`, action)
  }
  const action = 'Correct DATABASE_URL, e.g. postgres://havn@db.internal/havn?sslmode=verify-full'
  return finding('database-unreachable', `${host} cannot be used: ${error.message}`, action)
}
