/** Tests the gauges of the pool and of the clock with real connections and a clock that is wrong. */
import { expect, it } from 'vitest'
import { freshDatabase } from '../../testing/database/fresh-database.ts'
import { movableClock } from '../clock.ts'
import { openMetrics } from '../observability/metrics.ts'
import { openDatabase } from './database.ts'
import { updateDatabaseMetrics } from './database-metrics.ts'

it('shows the connections in use, the statements that wait for one, and a clock that is ahead', async () => {
  const fresh = await freshDatabase()
  const { connectionString } = fresh
  const database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 2 })
  const metrics = openMetrics({ processMetrics: false })
  const clock = movableClock()
  const ahead = { ...clock, real: () => clock.real().add({ seconds: 30 }) }
  const [first, second] = [await database.pool.connect(), await database.pool.connect()]
  const waiting = database.pool.query('select 1')
  const updated = updateDatabaseMetrics({ database, clock: ahead, metrics })
  first.release()
  second.release()
  await Promise.all([waiting, updated])
  const lines = (await metrics.registry.metrics()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'havn_database_connections{state="used"} 2',
      'havn_database_connections{state="idle"} 0',
      'havn_database_connections_max 2',
      'havn_database_connections_waiting 1',
      expect.stringMatching(/^havn_clock_difference_seconds (29\.|3\d)/),
    ]),
  )
  await database.close()
  await fresh.drop()
})
