/** What `havn doctor` looks for, and what it finds. */
import type pg from 'pg'
import type { Config } from '../../gateway/config/config.ts'
import type { Clock } from '../../gateway/platform/clock.ts'
import type { Database } from '../../gateway/platform/database/database.ts'
import type { Environment } from '../../gateway/platform/setting.ts'

/** An error makes requests fail or loses data, a warning will, and a note is worth knowing. */
export type Level = 'error' | 'warning' | 'note'

/** One misconfiguration that is looked for. */
export type Check = {
  readonly level: Level
  /** The misconfiguration, for the table of the documentation. */
  readonly finds: string
  /** The document that explains it, below `docs/`. */
  readonly see: string
}

/** Makes checks of each level that a document explains; another one may explain a single check. */
export function checksOf(document: string) {
  const ofLevel =
    (level: Level) =>
    (finds: string, see = document): Check => ({ level, finds, see })
  return { error: ofLevel('error'), warning: ofLevel('warning'), note: ofLevel('note') }
}

/** A misconfiguration that was found. No member contains a secret. */
export type Finding = {
  /** The id of its check. */
  readonly check: string
  readonly problem: string
  /** The setting, path or object that is wrong. */
  readonly where: string
  /** What to do, as a command or a sentence. */
  readonly action: string
}

/** Checks that read the same thing. */
export type CheckGroup = {
  readonly title: string
  readonly checks: Readonly<Record<string, Check>>
  /** Whether it connects to hosts other than that of the database; `--offline` skips it. */
  readonly isOnline: boolean
  /** Whether it runs with `--before-upgrade` only. */
  readonly isBeforeUpgrade?: boolean
  /** Undefined where something that it needs is missing, which another group reports. */
  inspect(installation: Installation): Promise<readonly Finding[] | undefined>
}

/** What a group inspects. */
export type Installation = {
  readonly environment: Environment
  /** As far as the settings are valid. */
  readonly config: Config
  /** What is wrong with the settings of a gateway, and what only a worker misses. */
  readonly settingErrors: readonly string[]
  readonly workerErrors: readonly string[]
  readonly database: DatabaseSession
  readonly host: HostFacts
}

/** The connection to the database, also as stores use it; or why there is none, undefined without DATABASE_URL. */
export type DatabaseSession =
  | { readonly pool: pg.Pool; readonly stores: Database<unknown> }
  | { readonly error: Error | undefined }

/** What is read of this machine and its runtime. */
export type HostFacts = {
  readonly nodeVersion: string
  /** Version of the time zone data, e.g. `2026a`; empty where the runtime has none. */
  readonly timeZoneVersion: string
  readonly openFilesMax: number
  /** Wall time. */
  real(): Temporal.Instant
  /** Undefined where the path is not on this machine. */
  freeSpace(path: string): Promise<{ readonly bytes: number; readonly share: number } | undefined>
  /** The number of the file system of an existing path. */
  deviceOf(path: string): Promise<number>
}

/** Findings of one check, made with the rest of their text. */
export function findingsOf(check: string, isFound: boolean, text: () => Omit<Finding, 'check'>): readonly Finding[] {
  return isFound ? [{ check, ...text() }] : []
}

/** The clock as gateways have it, without business time. */
export function clockOf({ real }: Pick<HostFacts, 'real'>): Clock {
  return { real, now: real, today: (timeZone) => real().toZonedDateTimeISO(timeZone).toPlainDate() }
}
