/** Tests which errors mean that the database is away. */
import { expect, test } from 'vitest'
import { asUnavailability, DatabaseUnavailable } from './database-unavailable.ts'

const errorOf = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)

const AWAY = [
  errorOf('terminating connection due to administrator command', { code: '57P01' }),
  errorOf('terminating connection because of crash of another server process', { code: '57P02' }),
  errorOf('the database system is starting up', { code: '57P03' }),
  errorOf('the database system is in recovery mode', { code: '57P03' }),
  errorOf('sorry, too many clients already', { code: '53300' }),
  errorOf('could not extend file: No space left on device', { code: '53100' }),
  errorOf('canceling statement due to statement timeout', { code: '57014' }),
  errorOf('cannot execute INSERT in a read-only transaction', { code: '25006' }),
  errorOf('connection failure', { code: '08006' }),
  errorOf('server login has been failing, try again later (server_login_retry)', { code: '08P01' }),
  errorOf('server login has been failing, cached error: connect failed (server_login_retry)', { code: '08P01' }),
  errorOf('server conn crashed?', { code: '08P01' }),
  errorOf('query_wait_timeout', { code: '08P01' }),
  errorOf('client_login_timeout', { code: '08P01' }),
  errorOf('pgbouncer is shutting down', { code: '08P01' }),
  errorOf('no more connections allowed (max_client_conn)', { code: '08P01' }),
  errorOf('pgbouncer cannot connect to server', { code: '08P01' }),
  errorOf('terminating connection due to administrator command', { code: '57P01' }),
  errorOf('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED', syscall: 'connect' }),
  errorOf('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }),
  errorOf('connect EHOSTUNREACH', { code: 'EHOSTUNREACH' }),
  errorOf('getaddrinfo ENOTFOUND db.internal', { code: 'ENOTFOUND' }),
  errorOf('getaddrinfo EAI_AGAIN db.internal', { code: 'EAI_AGAIN' }),
  errorOf('connect ENOENT /run/postgresql/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }),
  errorOf('Connection terminated unexpectedly'),
  errorOf('timeout exceeded when trying to connect'),
]

const OTHERS = [
  errorOf('password authentication failed for user "havn"', { code: '28P01' }),
  errorOf('no pg_hba.conf entry for host', { code: '28000' }),
  errorOf('database "havn" does not exist', { code: '3D000' }),
  errorOf('duplicate key value violates unique constraint', { code: '23505' }),
  errorOf('relation "x" does not exist', { code: '42P01' }),
  errorOf('deadlock detected', { code: '40P01' }),
  errorOf('password authentication failed', { code: '08P01' }),
  errorOf('no such database: havn', { code: '08P01' }),
  errorOf('unsupported startup parameter: options', { code: '08P01' }),
  errorOf('bind message supplies 1 parameters, but prepared statement "" requires 2', { code: '08P01' }),
  errorOf("ENOENT: no such file or directory, open 'x'", { code: 'ENOENT', syscall: 'open' }),
  errorOf('The server does not support SSL connections'),
  new TypeError('Cannot read properties of undefined'),
]

test('a server that is away, full, read-only or silent is unavailable; a wrong login or statement is an error', () => {
  for (const error of AWAY) {
    expect(asUnavailability(error), error.message).toBeInstanceOf(DatabaseUnavailable)
  }
  for (const error of OTHERS) {
    expect(asUnavailability(error), error.message).toBe(error)
  }
})

test('an error is translated once, and shows its cause', () => {
  const cause = errorOf('the database system is starting up', { code: '57P03' })
  const translated = asUnavailability(cause)
  expect(translated).toMatchObject({ message: `The database is not available: ${cause.message}`, cause })
  expect(asUnavailability(translated)).toBe(translated)
})
