/** Opens the fixture of deal tests: a database, a settable clock, and a scripted provider. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openContext } from '../../../launcher/roles/open-context.ts'
import { readConfig } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { type MovableClock, movableClock } from '../../platform/clock.ts'
import { generateMasterKeyLine } from '../../platform/crypto/envelope-encryption.ts'
import { openLog } from '../../platform/observability/log.ts'
import { freshDatabase } from '../../testing/database/fresh-database.ts'
import type { Deal } from '../store/deal.ts'
import { type ScriptedProvider, scriptedProvider } from './scripted-provider.ts'

export type FxFixture = {
  readonly context: Context
  readonly clock: MovableClock
  readonly provider: ScriptedProvider
  /** The notifications to payments. */
  readonly reported: Deal[]
  /** Advances business time. */
  pass(duration: Temporal.DurationLike): void
  setTime(instant: string): void
  close(): Promise<void>
}

/** A Monday, at noon in Oslo. */
const MONDAY_NOON = '2026-03-02T11:00:00Z'

/** Opens it at noon of a bank day. */
export async function openFxFixture(): Promise<FxFixture> {
  const database = await freshDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'havn-fx-'))
  const masterKeyFile = join(folder, 'master.key')
  await writeFile(masterKeyFile, generateMasterKeyLine('test'))
  const config = readConfig({
    HAVN_MODE: 'sandbox',
    DATABASE_URL: database.connectionString,
    HAVN_MASTER_KEY_FILE: masterKeyFile,
  })
  const log = openLog({ program: 'fx', level: 'silent' })
  const { context, close } = await openContext(config, log, { program: 'havn test', processMetrics: false })
  const clock = movableClock()
  const setTime = (instant: string) =>
    clock.setOffset(Temporal.Instant.from(instant).epochMilliseconds - clock.real().epochMilliseconds)
  setTime(MONDAY_NOON)
  const provider = scriptedProvider()
  return {
    context: { ...context, clock, fx: provider },
    clock,
    provider,
    reported: [],
    pass: (duration) =>
      clock.setOffset(clock.offsetMilliseconds() + Temporal.Duration.from(duration).total('milliseconds')),
    setTime,
    close: async () => {
      await close()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}
