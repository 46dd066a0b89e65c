/** Prints how fast the gateway is on this machine: initiations beside pgbench, and what it adds to a bank call. */
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../gateway/foundation/processes.ts'
import { type AddedLatency, addedLatency } from './added-latency.ts'
import { FULL_ENTRIES, measureEntries, SHORT_ENTRIES } from './entries.ts'
import { entriesLines } from './entries-print.ts'
import { FULL_EXCHANGE, measureExchange, SHORT_EXCHANGE } from './exchange.ts'
import { exchangeLines } from './exchange-print.ts'
import { median, verdict } from './figures.ts'
import { type FollowingPlan, followingBesideSilence, followingOf } from './following.ts'
import { FULL_IDLE, measureIdle, SHORT_IDLE } from './idle.ts'
import { idleLines } from './idle-print.ts'
import { type Initiate, initiationsPerSecond, openInitiations } from './initiations.ts'
import { FULL_PAYROLLS, measurePayrolls, SHORT_PAYROLLS } from './payroll.ts'
import { payrollLines } from './payroll-print.ts'
import { ensurePgbench, pgbenchPerSecond } from './pgbench.ts'
import { type PollerPlan, picksOf } from './poller.ts'
import { printFollowing, printPoller } from './print-following.ts'
import { moveBankTo, type RunningHavn, resetPayments, startHavn } from './running-havn.ts'
import { FULL_SIGNING, measureSigning, SHORT_SIGNING } from './signing.ts'
import { signingLines } from './signing-print.ts'
import { type StubBank, startStubBank } from './stub-bank.ts'
import { webhookLines } from './webhook-print.ts'
import { FULL_WEBHOOKS, measureWebhooks, SHORT_WEBHOOKS } from './webhooks.ts'

/** How long everything takes. */
type Plan = {
  readonly rounds: number
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly latencySeconds: number
  readonly following: FollowingPlan
  readonly poller: PollerPlan
}

/** Everything that a round works with. */
type Bench = {
  readonly havn: RunningHavn
  readonly stub: StubBank
  readonly pgbench: string
  readonly folder: string
  readonly initiate: Initiate
  readonly plan: Plan
}

type Round = { readonly initiations: number; readonly pgbench: number; readonly added: AddedLatency }

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
/** As many as the gateway lets through to one bank at a time. */
const CALLERS = 64
const REQUESTS_PER_SECOND = 100
const RATIO_MIN = 0.4
const P50_MAX_MILLISECONDS = 5
const P99_MAX_MILLISECONDS = 25
/** Processes at work in the last minute, before the bench begins. */
const LOAD_MAX = 0.5
const MOVED_WITHIN_MILLISECONDS = 20_000

const isShort = process.argv.includes('--short')
/** What has a Havn of its own: nothing of one part is left to be done in the next. */
const PARTS = {
  '--idle': async (folder: string) =>
    idleLines(await measureIdle(folder, isShort ? SHORT_IDLE : FULL_IDLE, interrupted())),
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

const wanted = Object.keys(PARTS).filter((part) => process.argv.includes(part))
if (wanted.length === 0) {
  await bench(isShort ? SHORT : FULL)
}
for (const [part, measure] of Object.entries(PARTS)) {
  if (wanted.length === 0 || wanted.includes(part)) {
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

/** What is compared runs by turns, so that a machine that grows slower spoils no ratio. */
async function measure(bench: Bench): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let round = 1; round <= bench.plan.rounds; round += 1) {
    const { havn, pgbench: program, folder, initiate, plan } = bench
    await resetPayments(havn)
    const pgbench = await pgbenchPerSecond(program, { ...havn, folder, clients: CALLERS, seconds: plan.seconds })
    await resetPayments(havn)
    const initiations = await initiationsPerSecond(initiate, { ...plan, callers: CALLERS })
    await resetPayments(havn)
    const pace = { perSecond: REQUESTS_PER_SECOND, warmUpSeconds: plan.warmUpSeconds, seconds: plan.latencySeconds }
    const added = await addedLatency(initiate, bench.stub, pace)
    rounds.push({ pgbench, initiations, added })
    console.log(`round ${round}: ${line({ pgbench, initiations, added })}`)
  }
  return rounds
}

async function measureAll(bench: Bench): Promise<void> {
  print(await measure(bench))
  await measureFollowing(bench)
}

/** After the rounds, which want a worker with nothing to do. */
async function measureFollowing(bench: Bench): Promise<void> {
  const { following, poller } = bench.plan
  printFollowing('every bank answers', await followingOf(bench, following))
  printFollowing('beside a bank that never answers', await followingBesideSilence(bench, following))
  printPoller(poller, await picksOf(bench.havn.connectionString, poller))
}

function line({ initiations, pgbench, added }: Round): string {
  const ratio = (initiations / pgbench).toFixed(2)
  const latency = `p50 ${added.p50.toFixed(1)} ms, p99 ${added.p99.toFixed(1)} ms`
  return `${initiations.toFixed(0)}/s, pgbench ${pgbench.toFixed(0)}/s, ratio ${ratio}; added ${latency}`
}

function print(rounds: readonly Round[]): void {
  const ratio = median(rounds.map(({ initiations, pgbench }) => initiations / pgbench))
  const p50 = median(rounds.map(({ added }) => added.p50))
  const p99 = median(rounds.map(({ added }) => added.p99))
  console.log(
    [
      `Medians of ${rounds.length} rounds, ${CALLERS} callers:`,
      `  durable initiations            ${median(rounds.map(({ initiations }) => initiations)).toFixed(0)} per second`,
      `  pgbench, the two statements    ${median(rounds.map(({ pgbench }) => pgbench)).toFixed(0)} per second`,
      `  ratio                          ${ratio.toFixed(2)} (bar: at least ${RATIO_MIN}) ${verdict(ratio >= RATIO_MIN)}`,
      `  added to a bank call, p50      ${p50.toFixed(1)} ms (bar: at most ${P50_MAX_MILLISECONDS} ms) ${verdict(p50 <= P50_MAX_MILLISECONDS)}`,
      `  added to a bank call, p99      ${p99.toFixed(1)} ms (bar: at most ${P99_MAX_MILLISECONDS} ms) ${verdict(p99 <= P99_MAX_MILLISECONDS)}`,
      `  (added at ${REQUESTS_PER_SECOND} requests per second)`,
    ].join('\n'),
  )
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
