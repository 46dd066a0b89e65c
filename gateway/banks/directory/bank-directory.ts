/** The directory of banks: rows of the database joined with their profiles, kept in memory and read again every few seconds. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Connector } from '../connector/connector.ts'
import type { ConnectorTools } from '../connector/connector-dependencies.ts'
import type { ProbeOptions, ProbeReport } from '../connector/probe-report.ts'
import { connectorsByName } from '../connectors.ts'
import type { Circuit } from '../transport/circuit.ts'
import type { Bank, BankProfile, BankStatus } from './bank.ts'
import { type BankHealth, bankStatusOf, type CallOutcome, healthIn, isPausedAt, PAUSE_RULE } from './bank-health.ts'
import type { BankProfiles } from './bank-profile-files.ts'
import {
  type BankRow,
  clearAllFailures,
  clearFailures,
  countFailure,
  countOrderFailure,
  selectBanks,
} from './bank-store.ts'
import { bankOf } from './directory-entry.ts'
import { probeBank } from './probe-bank.ts'

/** The banks, and how they do. */
export type BankDirectory = {
  /** An enabled bank by its BIC. */
  find(bic: string): Promise<Bank | undefined>
  /** The enabled banks of a country by name. */
  inCountry(countryCode: string): Promise<readonly Bank[]>
  /** Every enabled bank. */
  all(): Promise<readonly Bank[]>
  connectorOf(bank: Bank): Connector
  /** Probes a bank of the directory, be it in use or not. Throws what keeps it from being probed. */
  probe(bic: string, options: ProbeOptions): Promise<ProbeReport>
  statusOf(bank: Bank): Promise<BankStatus>
  /** Whether whoever can wait should leave the bank alone for now. */
  isPaused(bic: string): Promise<boolean>
  /** Records a call; failures in a row, initiations apart, pause the bank, and an answer ends that. */
  recordCall(bic: string, outcome: CallOutcome, circuit: Circuit): Promise<void>
  /** Forgets all failures: every bank is asked again at once. */
  forgetFailures(): Promise<void>
}

/** What a directory is made of. */
export type BankDirectorySettings = {
  readonly database: Database<unknown>
  readonly profiles: Pick<BankProfiles, 'current'>
  readonly tools: ConnectorTools
  /** Forgets them on the way to the banks. */
  readonly forgetFailures?: () => void
  readonly clock: Clock
  readonly log: Log
}

type Entry = { readonly bank: Bank | undefined; health: BankHealth }
type Snapshot = { readonly entryByBic: ReadonlyMap<string, Entry>; readonly readAt: Temporal.Instant }

/** Changes by people and by other processes show after this long at the latest. */
const REFRESH_SECONDS = 5

/** Opens the directory; the first question reads the table. */
export function openBankDirectory(settings: BankDirectorySettings): BankDirectory {
  const { clock, tools, database } = settings
  const connectorByName = new Map(Object.entries(connectorsByName).map(([name, kind]) => [name, kind.make(tools)]))
  const entries = refreshed(settings)
  const healthOf = async (bic: string) => (await entries()).get(bic)?.health ?? HEALTHY
  return {
    find: async (bic) => (await entries()).get(bic)?.bank,
    inCountry: async (countryCode) => inCountry(await entries(), countryCode),
    all: async () => [...(await entries()).values()].flatMap(({ bank }) => bank ?? []),
    connectorOf: (bank) => connectorOf(connectorByName, bank),
    probe: (bic, options) => probeBank(settings, bic, options),
    statusOf: async (bank) => bankStatusOf(await healthOf(bank.bic), clock.real()),
    isPaused: async (bic) => isPausedAt(await healthOf(bic), clock.real()),
    recordCall: async (bic, outcome, circuit) => {
      const entry = (await entries()).get(bic)
      if (entry !== undefined) {
        await recordCall(database, clock, entry, { bic, outcome, circuit })
      }
    },
    forgetFailures: async () => {
      settings.forgetFailures?.()
      await clearAllFailures(database)
      for (const entry of (await entries()).values()) {
        entry.health = HEALTHY
      }
    },
  }
}

const HEALTHY: BankHealth = {
  failures: 0,
  failingSince: null,
  pausedUntil: null,
  orderFailures: 0,
  ordersFailingSince: null,
}

/** Reads the table when what is known is too old; concurrent questions share one reading. */
function refreshed(settings: BankDirectorySettings): () => Promise<Snapshot['entryByBic']> {
  const complained = new Set<string>()
  let snapshot: Snapshot | undefined
  let reading: Promise<Snapshot> | undefined
  return async () => {
    if (snapshot === undefined || settings.clock.real().since(snapshot.readAt).total('seconds') >= REFRESH_SECONDS) {
      reading ??= read(settings, complained).finally(() => {
        reading = undefined
      })
      snapshot = await reading
    }
    return snapshot.entryByBic
  }
}

async function read(settings: BankDirectorySettings, complained: Set<string>): Promise<Snapshot> {
  const readAt = settings.clock.real()
  const [rows, profiles] = await Promise.all([selectBanks(settings.database), settings.profiles.current()])
  const entries = rows.map((row) => [row.bic, entryOf(profiles, row, { log: settings.log, complained })] as const)
  return { readAt, entryByBic: new Map(entries) }
}

/** A row that does not fit is left out: one bank's mistake must not stop the others. Told once. */
function entryOf(
  profiles: ReadonlyMap<string, BankProfile>,
  row: BankRow,
  { log, complained }: Pick<BankDirectorySettings, 'log'> & { readonly complained: Set<string> },
): Entry {
  const health = healthIn(row)
  const found = row.enabled ? bankOf(row, profiles) : undefined
  if (found !== undefined && 'fault' in found && !complained.has(found.fault)) {
    complained.add(found.fault)
    log.error({ bic: row.bic, fault: found.fault }, 'a bank of the directory is not usable')
  }
  return { bank: found !== undefined && 'bank' in found ? found.bank : undefined, health }
}

function inCountry(entryByBic: Snapshot['entryByBic'], countryCode: string): readonly Bank[] {
  return [...entryByBic.values()]
    .flatMap(({ bank }) => (bank?.countryCode === countryCode ? bank : []))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.bic.localeCompare(other.bic, 'en'))
}

function connectorOf(connectorByName: ReadonlyMap<string, Connector>, bank: Bank): Connector {
  const connector = connectorByName.get(bank.connector)
  if (connector === undefined) {
    throw new Error(`There is no connector called ${bank.connector}`)
  }
  return connector
}

type Recorded = { readonly bic: string; readonly outcome: CallOutcome; readonly circuit: Circuit }

/** An answer of a healthy bank, which is nearly every call, costs no statement. */
async function recordCall(
  database: Database<unknown>,
  clock: Clock,
  entry: Entry,
  { bic, outcome, circuit }: Recorded,
): Promise<void> {
  if (outcome === 'failed') {
    const row =
      circuit === 'orders'
        ? await countOrderFailure(database, bic, clock.real())
        : await countFailure(database, bic, clock.real(), PAUSE_RULE)
    entry.health = row === undefined ? entry.health : healthIn(row)
    return
  }
  const { failures, orderFailures, ordersFailingSince } = entry.health
  if (failures > 0 || (circuit === 'orders' && orderFailures > 0)) {
    await clearFailures(database, bic, circuit)
    entry.health = circuit === 'orders' ? HEALTHY : { ...HEALTHY, orderFailures, ordersFailingSince }
  }
}
