/** Prints how fast the gateway is on this machine: initiations beside pgbench, and what it adds to a bank call. */
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../gateway/foundation/processes.ts'
import { FULL_CLOCK, measureClock, SHORT_CLOCK } from './clock.ts'
import { clockLines } from './clock-print.ts'
import { FULL_ENTRIES, measureEntries, SHORT_ENTRIES } from './entries.ts'
import { entriesLines } from './entries-print.ts'
import { FULL_EXCHANGE, measureExchange, SHORT_EXCHANGE } from './exchange.ts'
import { exchangeLines } from './exchange-print.ts'
import { type FollowingPlan, followingBesideSilence, followingOf } from './following.ts'
import { FULL_IDLE, measureIdle, SHORT_IDLE } from './idle.ts'
import { idleLines } from './idle-print.ts'
import { type Initiate, openInitiations } from './initiations.ts'
import { FULL_PAYROLLS, measurePayrolls, SHORT_PAYROLLS } from './payroll.ts'
import { payrollLines } from './payroll-print.ts'
import { ensurePgbench } from './pgbench.ts'
import { type PollerPlan, picksOf } from './poller.ts'
import { printFollowing, printPoller } from './print-following.ts'
import { CALLERS, measureRounds, type RoundsBench, type RoundsPlan, roundsLines } from './rounds.ts'
import { moveBankTo, type RunningHavn, startHavn } from './running-havn.ts'
import { FULL_SANDBOX, measureSandbox, SHORT_SANDBOX } from './sandbox-bank.ts'
import { sandboxLines } from './sandbox-bank-print.ts'
import { FULL_SIGNING, measureSigning, SHORT_SIGNING } from './signing.ts'
import { signingLines } from './signing-print.ts'
import { type StubBank, startStubBank } from './stub-bank.ts'
import { webhookLines } from './webhook-print.ts'
import { FULL_WEBHOOKS, measureWebhooks, SHORT_WEBHOOKS } from './webhooks.ts'

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
  following: { payments: 600, seconds: 30 },
  poller: { openPayments: 1_000_000, batches: 9 },
}
/** Shows that the bench works; its figures mean nothing. */
const SHORT: Plan = {
  rounds: 1,
  warmUpSeconds: 1,
  seconds: 3,
  latencySeconds: 1,
  following: { payments: 10, seconds: 1 },
  poller: { openPayments: 20_000, batches: 1 },
}
/** Processes at work in the last minute, before the bench begins. */
const LOAD_MAX = 0.5
const MOVED_WITHIN_MILLISECONDS = 20_000

const isShort = process.argv.includes('--short')
/** What has a Havn of its own: nothing of one part is left to be done in the next. */
const PARTS = {
  '--clock': async (folder: string) =>
    clockLines(await measureClock(folder, isShort ? SHORT_CLOCK : FULL_CLOCK, interrupted())),
  '--idle': async (folder: string) =>
    idleLines(await measureIdle(folder, isShort ? SHORT_IDLE : FULL_IDLE, interrupted())),
  '--sandbox': async (folder: string) =>
    sandboxLines(await measureSandbox(folder, isShort ? SHORT_SANDBOX : FULL_SANDBOX, interrupted())),
  '--webhooks': async (folder: string) =>
    webhookLines(await measureWebhooks(folder, isShort ? SHORT_WEBHOOKS : FULL_WEBHOOKS, interrupted())),
  '--signing': async (folder: string) =>
    signingLines(await measureSigning(folder, isShort ? SHORT_SIGNING : FULL_SIGNING, interrupted())),
  '--entries': async (folder: string) =>
    entriesLines(await measureEntries(folder, isShort ? SHORT_ENTRIES : FULL_ENTRIES, interrupted())),
  '--exchange': async (folder: string) =>
    exchangeLines(await measureExchange(folder, isShort ? SHORT_EXCHANGE : FULL_EXCHANGE, interrupted())),
  '--payrolls': async (folder: string) =>
    payrollLines(await measurePayrolls(folder, isShort ? SHORT_PAYROLLS : FULL_PAYROLLS, interrupted())),
}

/** What shares one Havn: initiations, what they add to a bank call, following orders and the poller. */
const INITIATIONS = '--initiations'
const wanted = [INITIATIONS, ...Object.keys(PARTS)].filter((part) => process.argv.includes(part))
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part)
if (isWanted(INITIATIONS)) {
  await bench(isShort ? SHORT : FULL)
}
for (const [part, measure] of Object.entries(PARTS)) {
  if (isWanted(part)) {
    warnOfLoad()
    console.log((await measure(await newFolder())).join('\n'))
  }
}

async function bench(plan: Plan): Promise<void> {
  const pgbench = await ensurePgbench()
  warnOfLoad()
  const folder = await newFolder()
  const stub = await startStubBank()
  const havn = await startHavn(folder)
  const { initiate, close } = await openInitiations(havn, CALLERS)
  try {
    console.log(await machine(havn))
    await moveBankTo(stub, havn)
    await untilMoved(initiate, stub)
    const everything = { havn, stub, pgbench, folder, initiate, plan }
    await Promise.race([measureAll(everything), interrupted()])
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

async function measureAll(bench: Bench): Promise<void> {
  console.log(roundsLines(await measureRounds(bench)).join('\n'))
  await measureFollowing(bench)
}

/** After the rounds, which want a worker with nothing to do. */
async function measureFollowing(bench: Bench): Promise<void> {
  const { following, poller } = bench.plan
  printFollowing('every bank answers', await followingOf(bench, following))
  printFollowing('beside a bank that never answers', await followingBesideSilence(bench, following))
  printPoller(poller, await picksOf(bench.havn.connectionString, poller))
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
