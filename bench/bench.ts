/** Prints how fast the gateway is on this machine: initiations beside pgbench, and what it adds to a bank call. */
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../launcher/processes.ts'
import { FULL_CLOCK, measureClock, SHORT_CLOCK } from './clock/clock-moves.ts'
import { clockLines } from './clock/clock-report.ts'
import { FULL_ENTRIES, measureEntries, SHORT_ENTRIES } from './entries/account-entries.ts'
import { entriesLines } from './entries/entries-report.ts'
import { type Initiate, openInitiations } from './environment/initiation-client.ts'
import { moveBankTo, type RunningHavn, startHavn } from './environment/running-havn.ts'
import { type OpenHavn, shareHavn } from './environment/shared-havn.ts'
import { type StubBank, startStubBank } from './environment/stub-bank.ts'
import { FULL_EXCHANGE, measureExchange, SHORT_EXCHANGE } from './fx/exchange-deadlines.ts'
import { exchangeLines } from './fx/exchange-report.ts'
import { FULL_IDLE, measureIdle, SHORT_IDLE } from './idle/idle-load.ts'
import { idleLines } from './idle/idle-report.ts'
import {
  CALLERS,
  measureRounds,
  type RoundsBench,
  type RoundsPlan,
  roundsLines,
} from './initiations/initiation-rounds.ts'
import { ensurePgbench } from './initiations/run-pgbench.ts'
import { FULL_SANDBOX, measureSandbox, SHORT_SANDBOX } from './initiations/sandbox-bank-initiations.ts'
import { sandboxLines } from './initiations/sandbox-bank-report.ts'
import { FULL_PAYROLLS, measurePayrolls, SHORT_PAYROLLS } from './payrolls/payroll-processing.ts'
import { payrollLines } from './payrolls/payroll-report.ts'
import { signingLines } from './sca/sca-report.ts'
import { FULL_SIGNING, measureSigning, SHORT_SIGNING } from './signing.ts'
import { type PollerPlan, picksOf } from './status/due-row-scan.ts'
import { type FollowingPlan, followingBesideSilence, followingOf } from './status/status-latency.ts'
import { followingLines, pollerLines } from './status/status-report.ts'
import { FULL_WEBHOOKS, measureWebhooks, SHORT_WEBHOOKS } from './webhooks/measure-webhooks.ts'
import { webhookLines } from './webhooks/webhook-report.ts'

/** How long everything takes. */
type Plan = RoundsPlan & {
  readonly following: FollowingPlan
  readonly poller: PollerPlan
}

/** Everything that is worked with. */
type Bench = RoundsBench & { readonly plan: Plan }

/** No round is longer than a minute: after that the worker asks after orders that nobody has signed. */
const FULL: Plan = {
  rounds: 5,
  warmUpSeconds: 3,
  seconds: 10,
  latencySeconds: 10,
  // As many as a small partner makes in a year.
  keptPayments: 20_000,
  following: { payments: 600, seconds: 30, settledWithinSeconds: 10, keptPayments: 20_000 },
  poller: { openPayments: 1_000_000, batches: 9 },
}
/** Shows that the bench works; its figures mean nothing. */
const SHORT: Plan = {
  rounds: 1,
  warmUpSeconds: 0,
  seconds: 2,
  latencySeconds: 1,
  keptPayments: 100,
  following: { payments: 3, seconds: 1, settledWithinSeconds: 1, keptPayments: 100 },
  poller: { openPayments: 20_000, batches: 1 },
}
/** Processes at work in the last minute, before the bench begins. */
const LOAD_MAX = 0.5
const MOVED_WITHIN_MILLISECONDS = 20_000

const interruption = interrupted()
// Whatever is measured at that moment ends with it.
interruption.catch(() => undefined)
const isShort = process.argv.includes('--short')
/** What has a Havn of its own, but for the short form: nothing of one part is left to be done in the next. */
const PARTS = {
  '--initiations': (open: OpenHavn) => bench(open, isShort ? SHORT : FULL),
  '--clock': async (open: OpenHavn) =>
    clockLines(await measureClock(open, isShort ? SHORT_CLOCK : FULL_CLOCK, interruption)),
  '--idle': async (open: OpenHavn) =>
    idleLines(await measureIdle(open, isShort ? SHORT_IDLE : FULL_IDLE, interruption)),
  '--sandbox': async (open: OpenHavn) =>
    sandboxLines(await measureSandbox(open, isShort ? SHORT_SANDBOX : FULL_SANDBOX, interruption)),
  '--webhooks': async (open: OpenHavn) =>
    webhookLines(await measureWebhooks(open, isShort ? SHORT_WEBHOOKS : FULL_WEBHOOKS, interruption)),
  '--signing': async (open: OpenHavn) =>
    signingLines(await measureSigning(open, isShort ? SHORT_SIGNING : FULL_SIGNING, interruption)),
  '--entries': async (open: OpenHavn) =>
    entriesLines(await measureEntries(open, isShort ? SHORT_ENTRIES : FULL_ENTRIES, interruption)),
  '--exchange': async (open: OpenHavn) =>
    exchangeLines(await measureExchange(open, isShort ? SHORT_EXCHANGE : FULL_EXCHANGE, interruption)),
  '--payrolls': async (open: OpenHavn) =>
    payrollLines(await measurePayrolls(open, isShort ? SHORT_PAYROLLS : FULL_PAYROLLS, interruption)),
}
type Part = keyof typeof PARTS
const ALL = Object.keys(PARTS).filter((name): name is Part => name in PARTS)

/**
 * What shares a Havn in the short form, in this order: the part that wants settings begins, entries of accounts are
 * counted before anybody is paid, and what puts a stub in the bank's place is last.
 */
const TOGETHER: readonly (readonly Part[])[] = [
  ['--webhooks', '--entries', '--signing', '--idle', '--initiations'],
  ['--exchange', '--clock', '--payrolls', '--sandbox'],
]

const wanted = ALL.filter((part) => process.argv.includes(part))
for (const group of isShort ? TOGETHER : ALL.map((part) => [part])) {
  await measureGroup(group.filter((part) => wanted.length === 0 || wanted.includes(part)))
}

async function measureGroup(parts: readonly Part[]): Promise<void> {
  const folder = await newFolder()
  const shared = shareHavn(folder)
  try {
    for (const part of parts) {
      warnOfLoad()
      console.log((await PARTS[part](isShort ? shared.open : (settings) => startHavn(folder, settings))).join('\n'))
    }
  } finally {
    await shared.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What shares one Havn: initiations, what they add to a bank call, following orders and the poller. */
async function bench(open: OpenHavn, plan: Plan): Promise<readonly string[]> {
  const pgbench = await ensurePgbench()
  const stub = await startStubBank()
  const havn = await open()
  const { initiate, close } = await openInitiations(havn, CALLERS)
  try {
    console.log(await machine(havn))
    await moveBankTo(stub, havn)
    await untilMoved(initiate, stub)
    return await Promise.race([measureAll({ havn, stub, pgbench, initiate, plan }), interruption])
  } finally {
    await close()
    await havn.close()
    await stub.close()
  }
}

/** Whatever else runs takes from the gateway, which is one process, more than from pgbench, which is many. */
function warnOfLoad(): void {
  const [load = 0] = loadavg()
  if (load > LOAD_MAX) {
    console.log(`This machine is busy (load ${load.toFixed(1)}): the figures mean little.`)
  }
}

/** PostgreSQL's own user must be able to pass when everything runs as root. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-bench-'))
  await chmod(folder, 0o755)
  return folder
}

async function interrupted(): Promise<never> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  throw new Error('The bench was interrupted')
}

/** The gateway may know the bank's old address for some seconds. */
async function untilMoved(initiate: Initiate, stub: StubBank): Promise<void> {
  const reached = await waitUntil(async () => {
    await initiate()
    return stub.orders() > 0
  }, MOVED_WITHIN_MILLISECONDS)
  if (!reached) {
    throw new Error('The gateway did not notice that the bank has moved')
  }
}

/** Following comes after the rounds, which want a worker with nothing to do. */
async function measureAll(bench: Bench): Promise<readonly string[]> {
  const { following, poller } = bench.plan
  console.log(roundsLines(await measureRounds(bench)).join('\n'))
  return [
    ...followingLines('every bank answers', await followingOf(bench, following)),
    ...followingLines('beside a bank that never answers', await followingBesideSilence(bench, following)),
    ...pollerLines(poller, await picksOf(bench.havn.connectionString, poller)),
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
