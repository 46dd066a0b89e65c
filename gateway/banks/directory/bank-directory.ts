/** Joins the rows of the bank directory with their profiles and caches them in memory for a few seconds. */
import { spellingsOfBic } from '../../countries/bic.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Metrics } from '../../platform/observability/metrics.ts'
import type { Bank, BankStatus } from '../connector/bank.ts'
import type { BankProfile } from '../connector/bank-profile.ts'
import type { Connector } from '../connector/connector.ts'
import type { ConnectorDependencies } from '../connector/connector-dependencies.ts'
import type { ProbeOptions, ProbeReport } from '../connector/probe-report.ts'
import type { BankCall } from '../transport/bank-http-client.ts'
import { bankStatusOf, isPausedAt } from './bank-health.ts'
import type { BankProfiles } from './bank-profile-files.ts'
import {
  type BankRow,
  clearAllFailures,
  clearFailures,
  countFailure,
  countOrderFailure,
  FAILURES_BEFORE_PAUSE,
  HEALTHY,
  selectBanks,
} from './bank-store.ts'
import { connectorKind, connectorsByName } from './connector-registry.ts'
import { resolveBank } from './directory-entry.ts'

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
  recordCall(call: Pick<BankCall, 'bank' | 'operation' | 'outcome'>, isRepeated?: boolean): Promise<void>
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
type Entries = ReadonlyMap<string, Entry>

/** The operations whose failures are counted apart from those of all others. */
const ORDERS: ReadonlySet<string> = new Set(['initiatePayment', 'initiateBulkPayment'])

/** Changes by operators and other processes take effect after at most this long. */
const REFRESH_SECONDS = 5

/** Opens the directory; the first query reads the table. */
export function openBankDirectory(settings: BankDirectorySettings): BankDirectory {
  const { clock, tools, database } = settings
  const connectorByName = new Map(Object.entries(connectorsByName).map(([name, kind]) => [name, kind.make(tools)]))
  const entries = cachedEntries(settings)
  const healthOf = async (bic: string) => (await entries()).get(bic)?.row ?? HEALTHY
  const all = async () => [...(await entries()).values()].flatMap(({ bank }) => bank ?? [])
  return {
    find: async (text) => {
      const known = await entries()
      return known.get(text)?.bank ?? spellingsOfBic(text).flatMap((bic) => known.get(bic)?.bank ?? [])[0]
    },
    inCountry: async (countryCode) =>
      (await all())
        .filter((bank) => bank.countryCode === countryCode)
        .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.bic.localeCompare(other.bic, 'en')),
    all,
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
    recordCall: async ({ bank: bic, operation, outcome }, isRepeated = false) => {
      const entry = (await entries()).get(bic)
      const isOrder = ORDERS.has(operation)
      const now = clock.real()
      if (entry === undefined) {
        return
      }
      const { failures, order_failures, orders_failing_since } = entry.row
      if (outcome === 'failed') {
        if (!isRepeated || failures >= FAILURES_BEFORE_PAUSE) {
          const count = isOrder ? countOrderFailure : countFailure
          entry.row = (await count(database, bic, now)) ?? entry.row
        }
        // An answer of a healthy bank, which is nearly every call, costs no statement.
      } else if (failures > 0 || (isOrder && order_failures > 0)) {
        const cleared = isOrder ? HEALTHY : { ...HEALTHY, order_failures, orders_failing_since }
        await clearFailures(database, bic, isOrder)
        entry.row = { ...entry.row, ...cleared }
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
 * The entries by BIC, read again when they are too old, except those of unchanged rows and profiles; concurrent calls share
 * one read. Empty ones are too old at once: at the first start the other processes may read the table before the gateway
 * has filled it.
 */
function cachedEntries({ database, profiles, clock, log }: BankDirectorySettings): () => Promise<Entries> {
  const logged = new Set<string>()
  let entries: Entries = new Map()
  let known: ReadonlyMap<string, BankProfile> | undefined
  let readAt = clock.real().epochMilliseconds
  let pendingRead: Promise<void> | undefined
  const read = async () => {
    const now = clock.real().epochMilliseconds
    const [rows, current] = await Promise.all([selectBanks(database), profiles.current()])
    const before = [...entries.values()].map(({ row }) => row)
    if (current !== known || JSON.stringify(rows) !== JSON.stringify(before)) {
      entries = new Map(rows.map((row) => [row.bic, entryOf(current, row, { log, logged })]))
      known = current
    }
    readAt = now
  }
  return async () => {
    // A clock that is put back makes them too old, too.
    if (entries.size === 0 || Math.abs(clock.real().epochMilliseconds - readAt) >= REFRESH_SECONDS * 1000) {
      pendingRead ??= read().finally(() => {
        pendingRead = undefined
      })
      await pendingRead
    }
    return entries
  }
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

/** The bank with this BIC. Throws `unavailable` when it is not served at present. */
export async function requireBank(banks: Pick<BankDirectory, 'find'>, bic: string): Promise<Bank> {
  const bank = await banks.find(bic)
  if (bank === undefined) {
    throw apiError('unavailable', `The bank ${bic} is not available at present; try again later`)
  }
  return bank
}

const STATUSES: readonly BankStatus[] = ['Operational', 'Degraded', 'Down']

/** Sets the gauge of bank statuses; banks that are no longer enabled are removed from it. */
export async function updateBankMetrics({
  banks,
  metrics,
}: {
  readonly banks: BankDirectory
  readonly metrics: Metrics
}): Promise<void> {
  const enabled = await banks.all()
  const statuses = await Promise.all(
    enabled.map(async (bank) => ({
      bank: bank.bic,
      status: await banks.statusOf(bank),
      paused: await banks.isPaused(bank.bic),
    })),
  )
  metrics.bankStatus.reset()
  for (const { bank, status: present, paused } of statuses) {
    for (const status of STATUSES) {
      metrics.bankStatus.set({ bank, status }, status === present ? 1 : 0)
    }
    metrics.bankStatus.set({ bank, status: 'Paused' }, paused ? 1 : 0)
  }
}

/** With `certificate` under another pair of certificates than the bank's. */
type BankProbeOptions = ProbeOptions & { readonly certificate?: string | undefined }

/** Returns the report. Throws the reason when the bank cannot be probed; `BankError` when it cannot be reached. */
async function probeBank(
  { database, profiles, tools }: BankDirectorySettings,
  bic: string,
  { certificate, ...options }: BankProbeOptions,
): Promise<ProbeReport> {
  const row = (await selectBanks(database)).find((candidate) => spellingsOfBic(bic).includes(candidate.bic))
  if (row === undefined) {
    throw new Error(`${bic} is not in the directory: add it first with "havn bank put ${bic} … --disabled"`)
  }
  const found = resolveBank(row, await profiles.current())
  if ('fault' in found) {
    throw new Error(`Bank ${bic} cannot be probed: ${found.fault}`)
  }
  const probe = connectorKind(row.connector)?.probe
  if (probe === undefined) {
    throw new Error(`Bank ${bic} cannot be probed: its connector ${row.connector} does not support probing`)
  }
  const bank = certificate === undefined ? found.bank : { ...found.bank, certificate }
  return await probe(tools, bank, options)
}
