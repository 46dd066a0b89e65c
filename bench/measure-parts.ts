/** Measures the requested parts one after the other, each on its own Havn, and prints their figures. */
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { entriesLines, FULL_ENTRIES, measureEntries, SHORT_ENTRIES } from './account-entries.ts'
import type { BenchOptions, BenchPart } from './bench-options.ts'
import { clockLines, FULL_CLOCK, measureClock, SHORT_CLOCK } from './clock-moves.ts'
import { commandLineLines, FULL_COMMAND_LINE, measureCommandLine, SHORT_COMMAND_LINE } from './command-start.ts'
import { consoleLines, FULL_CONSOLE, measureConsole, SHORT_CONSOLE, TENTH_CONSOLE } from './console/console-pages.ts'
import { exportLines, FULL_EXPORTS, measureExports, SHORT_EXPORTS } from './console/csv-exports.ts'
import { openInitiationClient } from './environment/initiation-client.ts'
import { type OpenHavn, pointBankToStub, type RunningHavn, startHavn } from './environment/running-havn.ts'
import { waitUntilBankMoved } from './environment/sandbox-bank.ts'
import { startStubBank } from './environment/stub-bank.ts'
import { exchangeLines, FULL_EXCHANGE, measureExchange, SHORT_EXCHANGE } from './fx/exchange-deadlines.ts'
import { FULL_IDLE, idleLines, measureIdle, SHORT_IDLE } from './idle-load.ts'
import { callLogLines, FULL_CALL_LOGS, measureCallLogCost, SHORT_CALL_LOGS } from './initiations/call-log-cost.ts'
import {
  CALLERS,
  type InitiationRoundsBench,
  type InitiationRoundsPlan,
  initiationRoundLines,
  measureInitiationRounds,
} from './initiations/initiation-rounds.ts'
import { ensurePgbench } from './initiations/run-pgbench.ts'
import { FULL_SANDBOX, measureSandbox, SHORT_SANDBOX, sandboxLines } from './initiations/sandbox-bank-initiations.ts'
import { FULL_LISTS, listsLines, measureLists, SHORT_LISTS } from './list-latency.ts'
import { FULL_PAYROLLS, measurePayrolls, payrollLines, SHORT_PAYROLLS } from './payrolls/payroll-processing.ts'
import { FULL_SCA, measureSca, SHORT_SCA, scaLines } from './sca/sca-sessions.ts'
import { type DueRowScanPlan, measureDueRowScan } from './status/due-row-scan.ts'
import {
  FULL_FAILING_ORDERS,
  failingOrdersLines,
  measureFailingOrders,
  SHORT_FAILING_ORDERS,
} from './status/failing-orders.ts'
import {
  FULL_STATUS_CHANGES,
  measureStatusChangeCost,
  SHORT_STATUS_CHANGES,
  type StatusChangePlan,
} from './status/status-change-cost.ts'
import {
  dueRowScanLines,
  measureStatusLatency,
  measureStatusLatencyWithSilentBank,
  type StatusLatencyPlan,
  statusChangeLines,
  statusLatencyLines,
} from './status/status-latency.ts'
import { FULL_WEBHOOKS, measureWebhooks, SHORT_WEBHOOKS, webhookLines } from './webhooks/measure-webhooks.ts'

type Plan = InitiationRoundsPlan & {
  readonly following: StatusLatencyPlan
  readonly statusChanges: StatusChangePlan
  readonly poller: DueRowScanPlan
}

/** The inputs shared by all measurements. */
type Bench = InitiationRoundsBench & { readonly plan: Plan }

/** No round is longer than a minute: after that the worker polls unsigned orders. */
const FULL: Plan = {
  rounds: 5,
  warmUpSeconds: 3,
  seconds: 10,
  latencySeconds: 10,
  // As many as a small partner makes in a year.
  storedPayments: 20_000,
  following: { payments: 600, seconds: 30, settledWithinSeconds: 10, storedPayments: 20_000 },
  statusChanges: FULL_STATUS_CHANGES,
  poller: { openPayments: 1_000_000, batches: 9 },
}
/** A short run that only shows that the bench works; its figures mean nothing. */
const SHORT: Plan = {
  rounds: 1,
  warmUpSeconds: 0,
  seconds: 0.5,
  latencySeconds: 0.3,
  storedPayments: 100,
  following: { payments: 3, seconds: 1, settledWithinSeconds: 1, storedPayments: 100 },
  statusChanges: SHORT_STATUS_CHANGES,
  poller: { openPayments: 12_000, batches: 1 },
}
/** The number of running processes in the last minute, before the bench begins. */
const SYSTEM_LOAD_MAX = 0.5

type MeasuredParts = Pick<Extract<BenchOptions, { readonly run: true }>, 'parts' | 'isShort' | 'isTenth'>
/** Measures a part on the Havn that it opens, and renders the figures as lines. */
type Measurement = (open: OpenHavn) => Promise<readonly string[]>

/** Measures these parts; with the short plans, which only show that they work, if the run is short. */
export async function measureParts({ parts, ...form }: MeasuredParts): Promise<void> {
  const interruption = interrupted()
  // The aborted measurement ends with it.
  interruption.catch(() => undefined)
  const measurements = measurementsOf(form, interruption)
  for (const part of parts) {
    await measureOnOwnHavn(measurements[part])
  }
}

/** The parts, by option. */
function measurementsOf(
  { isShort, isTenth }: Omit<MeasuredParts, 'parts'>,
  interruption: Promise<never>,
): Readonly<Record<BenchPart, Measurement>> {
  /** With the full or the short plan. */
  function part<PartPlan, Figures>(
    measure: (open: OpenHavn, plan: PartPlan, interruption: Promise<never>) => Promise<Figures>,
    plans: { readonly full: PartPlan; readonly short: PartPlan },
    linesOf: (figures: Figures) => readonly string[],
  ): Measurement {
    return async (open) => linesOf(await measure(open, isShort ? plans.short : plans.full, interruption))
  }
  return {
    '--initiations': (open: OpenHavn) => bench(open, isShort ? SHORT : FULL, interruption),
    '--call-logs': part(measureCallLogCost, { full: FULL_CALL_LOGS, short: SHORT_CALL_LOGS }, callLogLines),
    '--clock': part(measureClock, { full: FULL_CLOCK, short: SHORT_CLOCK }, clockLines),
    '--idle': part(measureIdle, { full: FULL_IDLE, short: SHORT_IDLE }, idleLines),
    '--sandbox': part(measureSandbox, { full: FULL_SANDBOX, short: SHORT_SANDBOX }, sandboxLines),
    '--webhooks': part(measureWebhooks, { full: FULL_WEBHOOKS, short: SHORT_WEBHOOKS }, webhookLines),
    '--signing': part(measureSca, { full: FULL_SCA, short: SHORT_SCA }, scaLines),
    '--entries': part(measureEntries, { full: FULL_ENTRIES, short: SHORT_ENTRIES }, entriesLines),
    '--exchange': part(measureExchange, { full: FULL_EXCHANGE, short: SHORT_EXCHANGE }, exchangeLines),
    '--lists': part(measureLists, { full: FULL_LISTS, short: SHORT_LISTS }, listsLines),
    '--console': part(
      measureConsole,
      { full: isTenth ? TENTH_CONSOLE : FULL_CONSOLE, short: SHORT_CONSOLE },
      consoleLines,
    ),
    '--exports': part(measureExports, { full: FULL_EXPORTS, short: SHORT_EXPORTS }, exportLines),
    '--failing-orders': part(
      measureFailingOrders,
      { full: FULL_FAILING_ORDERS, short: SHORT_FAILING_ORDERS },
      failingOrdersLines,
    ),
    '--payrolls': part(measurePayrolls, { full: FULL_PAYROLLS, short: SHORT_PAYROLLS }, payrollLines),
    '--command-line': part(
      measureCommandLine,
      { full: FULL_COMMAND_LINE, short: SHORT_COMMAND_LINE },
      commandLineLines,
    ),
  }
}

/** Each part has its own Havn, so that no part leaves work for the next. */
async function measureOnOwnHavn(measure: Measurement): Promise<void> {
  const folder = await newFolder()
  try {
    warnOfLoad()
    console.log((await measure((settings) => startHavn(folder, settings))).join('\n'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Measures initiations, added latency, status polling and the poller. */
async function bench(open: OpenHavn, plan: Plan, interruption: Promise<never>): Promise<readonly string[]> {
  const pgbench = await ensurePgbench()
  const stub = await startStubBank()
  const havn = await open()
  const { initiate, close } = await openInitiationClient(havn, CALLERS)
  try {
    console.log(await machine(havn))
    await pointBankToStub(stub, havn)
    await waitUntilBankMoved(initiate, stub)
    return await Promise.race([measureAll({ havn, stub, pgbench, initiate, plan }), interruption])
  } finally {
    await close()
    await havn.close()
    await stub.close()
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
async function measureAll(bench: Bench): Promise<readonly string[]> {
  const { following, poller } = bench.plan
  console.log(initiationRoundLines(await measureInitiationRounds(bench)).join('\n'))
  return [
    ...statusLatencyLines('every bank responds', await measureStatusLatency(bench, following)),
    ...statusLatencyLines(
      'with a bank that never responds',
      await measureStatusLatencyWithSilentBank(bench, following),
    ),
    ...statusChangeLines(await measureStatusChangeCost(bench.havn, bench.plan.statusChanges)),
    ...dueRowScanLines(poller, await measureDueRowScan(bench.havn.connectionString, poller)),
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
