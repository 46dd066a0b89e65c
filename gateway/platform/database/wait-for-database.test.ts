/** Tests what a program waits for at its start, and what ends it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { freePorts } from '../../testing/gateway/free-ports.ts'
import { waitForDatabase } from './wait-for-database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

const wait = (connectionString: string, report: (line: string) => void, millisecondsMax?: number) =>
  waitForDatabase({
    ...{ connectionString, applicationName: 'test', pauseMilliseconds: 1, report },
    ...(millisecondsMax === undefined ? {} : { millisecondsMax }),
  })

test('a database that is there is not waited for, and nothing is reported', async () => {
  const lines: string[] = []
  await wait(fresh.connectionString, (line) => lines.push(line))
  expect(lines).toEqual([])
})

test('a database that is away is waited for, reported once, and given up only after the given time', async () => {
  const [port] = await freePorts(1)
  const lines: string[] = []
  const away = `postgres://havn@127.0.0.1:${port}/havn`
  await expect(wait(away, (line) => lines.push(line), 50)).rejects.toThrow('ECONNREFUSED')
  expect(lines).toEqual([expect.stringMatching(/^Waiting for the database\. .*ECONNREFUSED/)])
})

test('a database that does not exist, and a rejected login, are errors at once', async () => {
  const [missing, stranger] = [new URL(fresh.connectionString), new URL(fresh.connectionString)]
  missing.pathname = '/missing'
  stranger.username = 'stranger'
  await expect(wait(missing.href, () => undefined)).rejects.toThrow('database "missing" does not exist')
  await expect(wait(stranger.href, () => undefined)).rejects.toThrow(/"stranger"/)
})
