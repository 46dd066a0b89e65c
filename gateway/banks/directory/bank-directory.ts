/** Joins the rows of the bank directory with their profiles and caches them in memory for a few seconds. */
import { spellingsOfBic } from '../../countries/bic.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Bank, BankStatus } from '../connector/bank.ts'
import type { BankProfile } from '../connector/bank-profile.ts'
import type { Connector } from '../connector/connector.ts'
import type { ConnectorDependencies } from '../connector/connector-dependencies.ts'
import type { ProbeReport } from '../connector/probe-report.ts'
import { bankStatusOf, type CallOutcome, isPausedAt, PAUSE_RULE } from './bank-health.ts'
import type { BankProfiles } from './bank-profile-files.ts'
import {
  type BankRow,
  type Circuit,
  clearAllFailures,
  clearFailures,
  countFailure,
  countOrderFailure,
  HEALTHY,
  selectBanks,
} from './bank-store.ts'
import { connectorsByName } from './connector-registry.ts'
import { resolveBank } from './directory-entry.ts'
import { type BankProbeOptions, probeBank } from './probe-bank.ts'

export type BankDirectory = {
  /** An enabled bank by its BIC, in any of its spellings. */
  find(bic: string): Promise<Bank | undefined>
  /** The enabled banks of a country by name. */
  inCountry(countryCode: string): Promise<readonly Bank[]>
  /** Every enabled bank. */
  all(): Promise<readonly Bank[]>
  connectorOf(bank: Bank): Connector
  /** Probes a bank of the directory, enabled or not. Throws the reason when it cannot be probed. */
  probe(bic: string, options: BankProbeOptions): Promise<ProbeReport>
  statusOf(bank: Bank): Promise<BankStatus>
  /** Whether background jobs should not call the bank for now about what they could not read before. */
  isPaused(bic: string): Promise<boolean>
  /**
   * Records a call: consecutive failures, initiations excepted, pause the bank; an answer ends the pause. A call that
   * repeats one about the same resource, which failed as well, does not count while the bank answers about others.
   */
  recordCall(bic: string, outcome: CallOutcome, circuit: Circuit, isRepeated?: boolean): Promise<void>
  /** Clears all failures, so that every bank is called again at once. */
  resetFailures(): Promise<void>
}

export type BankDirectorySettings = {
  readonly database: Database<unknown>
  readonly profiles: Pick<BankProfiles, 'current'>
  readonly tools: ConnectorDependencies
  /** Closes the circuit breakers of the transport. */
  readonly resetFailures?: () => void
  readonly clock: Clock
  readonly log: Log
}

type Entry = { readonly bank: Bank | undefined; row: BankRow }
type Snapshot = {
  readonly profiles: ReadonlyMap<string, BankProfile>
  readonly entryByBic: ReadonlyMap<string, Entry>
  readonly readAt: Temporal.Instant
}

/** Changes by operators and other processes take effect after at most this long. */
const REFRESH_SECONDS = 5

/** Opens the directory; the first query reads the table. */
export function openBankDirectory(settings: BankDirectorySettings): BankDirectory {
  const { clock, tools, database } = settings
  const connectorByName = new Map(Object.entries(connectorsByName).map(([name, kind]) => [name, kind.make(tools)]))
  const entries = cachedEntries(settings)
  const healthOf = async (bic: string) => (await entries()).get(bic)?.row ?? HEALTHY
  return {
    find: async (text) => {
      const known = await entries()
      return known.get(text)?.bank ?? spellingsOfBic(text).flatMap((bic) => known.get(bic)?.bank ?? [])[0]
    },
    inCountry: async (countryCode) => inCountry(await entries(), countryCode),
    all: async () => [...(await entries()).values()].flatMap(({ bank }) => bank ?? []),
    connectorOf: (bank) => {
      const connector = connectorByName.get(bank.connector)
      if (connector === undefined) {
        throw new Error(`There is no connector called ${bank.connector}`)
      }
      return connector
    },
    probe: (bic, options) => probeBank(settings, bic, options),
    statusOf: async (bank) => bankStatusOf(await healthOf(bank.bic), clock.real()),
    isPaused: async (bic) => isPausedAt(await healthOf(bic), clock.real()),
    recordCall: async (bic, outcome, circuit, isRepeated = false) => {
      const entry = (await entries()).get(bic)
      const isNews = outcome === 'answered' || !isRepeated
      if (entry !== undefined && (isNews || entry.row.failures >= PAUSE_RULE.failuresBefore)) {
        await recordCall(database, clock, entry, { bic, outcome, circuit })
      }
    },
    resetFailures: async () => {
      settings.resetFailures?.()
      await clearAllFailures(database)
      for (const entry of (await entries()).values()) {
        entry.row = { ...entry.row, ...HEALTHY }
      }
    },
  }
}

/**
 * Reads the table when the snapshot is too old; concurrent calls share one read. An empty snapshot is too old at once: at
 * the first start the other processes may read the table before the gateway has filled it.
 */
function cachedEntries(settings: BankDirectorySettings): () => Promise<Snapshot['entryByBic']> {
  const logged = new Set<string>()
  let snapshot: Snapshot | undefined
  let pendingRead: Promise<Snapshot> | undefined
  return async () => {
    if (snapshot === undefined || isTooOld(snapshot, settings.clock)) {
      pendingRead ??= read(settings, logged, snapshot).finally(() => {
        pendingRead = undefined
      })
      snapshot = await pendingRead
    }
    return snapshot.entryByBic
  }
}

function isTooOld({ readAt, entryByBic }: Snapshot, clock: BankDirectorySettings['clock']): boolean {
  return entryByBic.size === 0 || clock.real().epochMilliseconds - readAt.epochMilliseconds >= REFRESH_SECONDS * 1000
}

/** Banks of unchanged rows and profiles are not validated again. */
async function read(
  { database, profiles: files, clock, log }: BankDirectorySettings,
  logged: Set<string>,
  previous: Snapshot | undefined,
): Promise<Snapshot> {
  const readAt = clock.real()
  const [rows, profiles] = await Promise.all([selectBanks(database), files.current()])
  const known = [...(previous?.entryByBic.values() ?? [])].map(({ row }) => row)
  if (previous !== undefined && profiles === previous.profiles && JSON.stringify(rows) === JSON.stringify(known)) {
    return { ...previous, readAt }
  }
  const entries = rows.map((row) => [row.bic, entryOf(profiles, row, { log, logged })] as const)
  return { profiles, readAt, entryByBic: new Map(entries) }
}

/** An invalid row is left out, because one misconfigured bank must not stop the others. Each fault is logged once. */
function entryOf(
  profiles: ReadonlyMap<string, BankProfile>,
  row: BankRow,
  { log, logged }: Pick<BankDirectorySettings, 'log'> & { readonly logged: Set<string> },
): Entry {
  const found = row.enabled ? resolveBank(row, profiles) : undefined
  if (found !== undefined && 'fault' in found && !logged.has(found.fault)) {
    logged.add(found.fault)
    log.error({ bic: row.bic, fault: found.fault }, 'invalid bank in the directory; the bank is not served')
  }
  return { bank: found !== undefined && 'bank' in found ? found.bank : undefined, row }
}

function inCountry(entryByBic: Snapshot['entryByBic'], countryCode: string): readonly Bank[] {
  return [...entryByBic.values()]
    .flatMap(({ bank }) => (bank?.countryCode === countryCode ? bank : []))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.bic.localeCompare(other.bic, 'en'))
}

type RecordedCall = { readonly bic: string; readonly outcome: CallOutcome; readonly circuit: Circuit }

/** An answer of a healthy bank, which is nearly every call, costs no statement. */
async function recordCall(
  database: Database<unknown>,
  clock: Clock,
  entry: Entry,
  { bic, outcome, circuit }: RecordedCall,
): Promise<void> {
  if (outcome === 'failed') {
    const row =
      circuit === 'orders'
        ? await countOrderFailure(database, bic, clock.real())
        : await countFailure(database, bic, clock.real(), PAUSE_RULE)
    entry.row = row ?? entry.row
    return
  }
  const { failures, order_failures, orders_failing_since } = entry.row
  if (failures > 0 || (circuit === 'orders' && order_failures > 0)) {
    await clearFailures(database, bic, circuit)
    const ofOrders = circuit === 'orders' ? {} : { order_failures, orders_failing_since }
    entry.row = { ...entry.row, ...HEALTHY, ...ofOrders }
  }
}

/** The bank with this BIC. Throws `unavailable` when it is not served at present. */
export async function requireBank(banks: Pick<BankDirectory, 'find'>, bic: string): Promise<Bank> {
  const bank = await banks.find(bic)
  if (bank === undefined) {
    throw apiError('unavailable', `The bank ${bic} is not available at present; try again later`)
  }
  return bank
}
