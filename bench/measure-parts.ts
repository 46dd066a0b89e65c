/** Measures the requested parts one after the other, each on its own Havn, and prints their figures. */
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountEntries } from './account-entries.ts'
import type { BenchOptions, BenchPart } from './bench-options.ts'
import { type Measurement, measurementOf, measureWithStub, type OnHavn } from './bench-part.ts'
import { clockMoves } from './clock-moves.ts'
import { commandStart } from './command-start.ts'
import { consolePages } from './console/console-pages.ts'
import { csvExports } from './console/csv-exports.ts'
import { type RunningHavn, startHavn } from './environment/running-havn.ts'
import { exchangeDeadlines } from './fx/exchange-deadlines.ts'
import { idleLoad } from './idle-load.ts'
import { callLogCost } from './initiations/call-log-cost.ts'
import {
  CALLERS,
  type InitiationRoundsBench,
  type InitiationRoundsPlan,
  measureInitiationRounds,
} from './initiations/initiation-rounds.ts'
import { ensurePgbench } from './initiations/run-pgbench.ts'
import { sandboxBankInitiations } from './initiations/sandbox-bank-initiations.ts'
import { listLatency } from './list-latency.ts'
import { payrollProcessing } from './payrolls/payroll-processing.ts'
import { scaSessions } from './sca/sca-sessions.ts'
import { type DueRowScanPlan, measureDueRowScan } from './status/due-row-scan.ts'
import { failingOrders } from './status/failing-orders.ts'
import { measureStatusChangeCost, type StatusChangePlan } from './status/status-change-cost.ts'
import {
  measureStatusLatency,
  measureStatusLatencyWithSilentBank,
  type StatusLatencyPlan,
  statusLatencyLines,
} from './status/status-latency.ts'
import { webhooks } from './webhooks/measure-webhooks.ts'

type Plan = InitiationRoundsPlan & {
  readonly following: StatusLatencyPlan
  readonly statusChanges: StatusChangePlan
  readonly poller: DueRowScanPlan
}

/** No round is longer than a minute: after that the worker polls unsigned orders. */
const initiations = measurementOf<Plan>(
  {
    full: {
      rounds: 5,
      warmUpSeconds: 3,
      seconds: 10,
      latencySeconds: 10,
      // As many as a small partner makes in a year.
      storedPayments: 20_000,
      following: { payments: 600, seconds: 30, settledWithinSeconds: 10, storedPayments: 20_000 },
      statusChanges: { rounds: 5, changes: 1_000, warmUpChanges: 100 },
      poller: { openPayments: 1_000_000, batches: 9 },
    },
    short: {
      rounds: 1,
      warmUpSeconds: 0,
      seconds: 0.5,
      latencySeconds: 0.3,
      storedPayments: 100,
      following: { payments: 3, seconds: 1, settledWithinSeconds: 1, storedPayments: 100 },
      statusChanges: { rounds: 1, changes: 20, warmUpChanges: 5 },
      poller: { openPayments: 12_000, batches: 1 },
    },
  },
  async (onHavn, plan) => {
    const pgbench = await ensurePgbench()
    return await measureWithStub(onHavn, CALLERS, (stubbed) => measureAll({ ...stubbed, pgbench, plan }))
  },
)

const MEASUREMENTS: Readonly<Record<BenchPart, Measurement>> = {
  '--initiations': initiations,
  '--call-logs': callLogCost,
  '--clock': clockMoves,
  '--idle': idleLoad,
  '--sandbox': sandboxBankInitiations,
  '--webhooks': webhooks,
  '--signing': scaSessions,
  '--entries': accountEntries,
  '--exchange': exchangeDeadlines,
  '--lists': listLatency,
  '--console': consolePages,
  '--exports': csvExports,
  '--failing-orders': failingOrders,
  '--payrolls': payrollProcessing,
  '--command-line': commandStart,
}
/** The number of running processes in the last minute, before the bench begins. */
const SYSTEM_LOAD_MAX = 0.5

export async function measureParts({ parts, size }: Extract<BenchOptions, { readonly run: true }>): Promise<void> {
  const interruption = interrupted()
  // The aborted measurement ends with it.
  interruption.catch(() => undefined)
  for (const part of parts) {
    const folder = await newFolder()
    // Each part has its own Havn, so that no part leaves work for the next.
    const onHavn: OnHavn = async (measure, settings) => {
      const havn = await startHavn(folder, settings)
      try {
        return await Promise.race([measure(havn), interruption])
      } finally {
        await havn.close()
      }
    }
    try {
      warnOfLoad()
      console.log((await MEASUREMENTS[part](onHavn, size)).join('\n'))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Other load slows the gateway, which is one process, more than pgbench, which has many. */
function warnOfLoad(): void {
  const [load = 0] = loadavg()
  if (load > SYSTEM_LOAD_MAX) {
    console.log(`This machine is busy (load ${load.toFixed(1)}): the figures are unreliable.`)
  }
}

/** PostgreSQL's own user must be able to traverse it when everything runs as root. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-bench-'))
  await chmod(folder, 0o755)
  return folder
}

async function interrupted(): Promise<never> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  throw new Error('The bench was interrupted')
}

/** Status polling comes after the rounds, which need an idle worker. */
async function measureAll(bench: InitiationRoundsBench & { readonly plan: Plan }): Promise<readonly string[]> {
  const { following, poller, statusChanges } = bench.plan
  console.log(await machine(bench.havn))
  console.log((await measureInitiationRounds(bench)).join('\n'))
  return [
    ...statusLatencyLines('every bank responds', await measureStatusLatency(bench, following)),
    ...statusLatencyLines(
      'with a bank that never responds',
      await measureStatusLatencyWithSilentBank(bench, following),
    ),
    await measureStatusChangeCost(bench.havn, statusChanges),
    ...(await measureDueRowScan(bench.havn.connectionString, poller)),
  ]
}

async function machine({ database }: RunningHavn): Promise<string> {
  const { rows } = await database.pool.query<{ server_version: string; fsync: string }>(
    `select current_setting('server_version') as server_version, current_setting('fsync') as fsync`,
  )
  const [postgres] = rows
  const cores = cpus()
  const versions = `Node ${process.versions.node}, PostgreSQL ${postgres?.server_version} (fsync ${postgres?.fsync})`
  return `Machine: ${cores.length} cores (${cores[0]?.model.trim()}), ${versions}`
}
