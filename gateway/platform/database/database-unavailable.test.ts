/** Tests which errors mean that the database is away. */
import { expect, test } from 'vitest'
import { asUnavailability, DatabaseUnavailable } from './database-unavailable.ts'

const errorOf = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)

type Errors = Readonly<Record<string, readonly string[]>>

/** Messages by SQLSTATE or code; those of `pg` without one are under the empty code. */
const AWAY: Errors = {
  '08006': ['connection failure'],
  // Of PgBouncer, which has this code for all of them: older versions for what its server answered at login as well.
  '08P01': [
    ...['server login has been failing, try again later (server_login_retry)', 'the database system is starting up'],
    'server login has been failing, cached error: connect failed (server_login_retry)',
    'server login has been failing, cached error: the database system is shutting down (server_login_retry)',
    ...['server conn crashed?', 'connect failed', 'cannot connect', 'server DNS lookup failed', 'TLS startup failed'],
    ...['invalid server parameter', 'var change failed', 'idle server got dirty', 'test query failed', 'unknown pkt'],
    ...['query_wait_timeout', 'client_login_timeout', 'client_login_timeout (server down)', 'connect timeout'],
    ...['query timeout', 'query_timeout', 'idle transaction timeout', 'transaction timeout', 'client_idle_timeout'],
    ...['pgbouncer is shutting down', 'server shutting down', 'pooler is shutting down', 'admin forced disconnect'],
    ...['no more connections allowed (max_client_conn)', 'out of memory', 'bouncer resources exhaustion', 'evicted'],
    ...['pgbouncer cannot connect to server', 'database configuration changed', 'bouncer config error'],
    ...['sorry, too many clients already', 'suspend_timeout', 'database "havn" is disabled'],
  ],
  '25006': [
    'cannot execute INSERT in a read-only transaction',
    ...['cannot execute SELECT FOR UPDATE in a read-only transaction', 'cannot execute nextval() during recovery'],
  ],
  '25P03': ['terminating connection due to idle-in-transaction timeout'],
  '25P04': ['terminating connection due to transaction timeout'],
  '40001': [
    'canceling statement due to conflict with recovery',
    'terminating connection due to conflict with recovery',
  ],
  '53100': ['could not extend file: No space left on device'],
  '53200': ['out of memory'],
  '53300': [
    'sorry, too many clients already',
    'remaining connection slots are reserved',
    'too many connections for role',
  ],
  '57014': ['canceling statement due to statement timeout', 'canceling statement due to user request'],
  '57P01': ['terminating connection due to administrator command'],
  '57P02': ['terminating connection because of crash of another server process'],
  '57P03': [
    ...['the database system is starting up', 'the database system is shutting down'],
    ...['the database system is in recovery mode', 'the database system is not accepting connections'],
    'the database system is not yet accepting connections',
  ],
  '57P04': ['terminating connection due to conflict with recovery'],
  '57P05': ['terminating connection due to idle-session timeout'],
  '58000': ['could not receive data from the WAL stream'],
  '58030': ['could not read block 0 in file: Input/output error'],
  '58P01': ['could not open file "base/5/1259": No such file or directory'],
  XX000: ['cannot assign TransactionIds during recovery'],
  '55000': ['recovery is in progress'],
  '0A000': ['cannot use serializable mode in a hot standby', 'cannot set transaction read-write mode during recovery'],
  ECONNREFUSED: ['connect ECONNREFUSED 127.0.0.1:5432'],
  ECONNRESET: ['read ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'],
  EPIPE: ['write EPIPE'],
  ETIMEDOUT: ['connect ETIMEDOUT 192.0.2.1:5432'],
  EHOSTUNREACH: ['connect EHOSTUNREACH 192.0.2.1:5432'],
  ENETRESET: ['read ENETRESET'],
  ENOTFOUND: ['getaddrinfo ENOTFOUND db.internal'],
  EAI_AGAIN: ['getaddrinfo EAI_AGAIN db.internal'],
  ERR_STREAM_DESTROYED: ['Cannot call write after a stream was destroyed'],
  ERR_STREAM_WRITE_AFTER_END: ['write after end'],
  ERR_STREAM_PREMATURE_CLOSE: ['Premature close'],
  ERR_SSL_UNEXPECTED_EOF_WHILE_READING: ['error:0A000126:SSL routines::unexpected eof while reading'],
  '': [
    ...['Connection terminated', 'Connection terminated unexpectedly', 'timeout expired'],
    ...['Connection terminated due to connection timeout', 'timeout exceeded when trying to connect'],
    ...['Client was closed and is not queryable', 'Cannot use a pool after calling end on the pool'],
    'Client has encountered a connection error and is not queryable',
    'There was an error establishing an SSL connection',
    ...['Received unexpected commandComplete message from backend.', 'received invalid response: 48'],
  ],
}

const OTHERS: Errors = {
  '08P01': [
    ...['password authentication failed', 'SASL authentication failed', 'no authentication method is found'],
    'server login has been failing, cached error: password authentication failed for user "havn" (server_login_retry)',
    ...['no such database: havn', 'no such user: havn', 'role "havn" does not exist', 'login rejected', 'SSL required'],
    ...['role "havn" is not permitted to log in', 'permission denied for database "havn"', 'not allowed to connect'],
    ...['no pg_hba.conf entry for host "192.0.2.1"', 'server login failed: wrong password type'],
    ...['unsupported startup parameter: options', 'invalid startup packet layout: expected terminator as last byte'],
    ...['prepared statement name is already in use', 'prepared statement did not exist'],
    'bind message supplies 1 parameters, but prepared statement "" requires 2',
    ...['invalid message format', 'insufficient data left in message', 'invalid frontend message type 48'],
  ],
  '28P01': ['password authentication failed for user "havn"'],
  '28000': ['no pg_hba.conf entry for host'],
  '3D000': ['database "havn" does not exist'],
  '23505': ['duplicate key value violates unique constraint'],
  '25P02': ['current transaction is aborted, commands ignored until end of transaction block'],
  '40P01': ['deadlock detected'],
  '42P01': ['relation "x" does not exist'],
  '55000': ['cannot connect to invalid database "havn"'],
  '0A000': ['cached plan must not change result type'],
  XX000: ['cache lookup failed for relation 1'],
  XX001: ['invalid page in block 0 of relation base/5/1259'],
  ENOENT: ["ENOENT: no such file or directory, open 'x'"],
  EMFILE: ["EMFILE: too many open files, open 'x'"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['self-signed certificate'],
  '': ['The server does not support SSL connections', 'Cannot read properties of undefined'],
}

/** Of a socket that is opened; of a file they are other errors. */
const NO_SOCKET = ['ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE'].map((code) =>
  errorOf(`connect ${code} /run/postgresql/.s.PGSQL.5432`, { code, syscall: 'connect' }),
)

const errorsOf = (table: Errors) =>
  Object.entries(table).flatMap(([code, messages]) =>
    messages.map((message) => errorOf(message, code === '' ? {} : { code })),
  )

test('a server that is away, full, read-only or silent is unavailable; a wrong login or statement is an error', () => {
  for (const error of [...errorsOf(AWAY), ...NO_SOCKET]) {
    expect(asUnavailability(error), error.message).toBeInstanceOf(DatabaseUnavailable)
  }
  for (const error of errorsOf(OTHERS)) {
    expect(asUnavailability(error), error.message).toBe(error)
  }
})

test('an error is translated once, and shows its cause', () => {
  const cause = errorOf('the database system is starting up', { code: '57P03' })
  const translated = asUnavailability(cause)
  expect(translated).toMatchObject({ message: `The database is not available: ${cause.message}`, cause })
  expect(asUnavailability(translated)).toBe(translated)
})
