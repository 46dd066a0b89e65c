/** Expects that a connection which the server terminates ends only what runs on it. */
import type pg from 'pg'
import { expect } from 'vitest'

/** Terminates a connection of the pool that is in use: its next statement fails, and the pool opens another. */
export async function expectLostConnectionReplaced(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  const ended = new Promise((resolve) => client.once('end', resolve))
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  await expect(client.query('select 1')).rejects.toThrow(/not (available|queryable)/)
  client.release(true)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
}
