/** Rehearses an upgrade, its way back and the upgrade again under load, step by step; returns what is wrong. */
import { waitUntil } from '../../launcher/processes.ts'
import { type HavnClient, moveClock } from '../../sdk/index.ts'
import type { PostgresServer } from '../../setup/trials/postgres-server.ts'
import type { InstallationSettings, RunningProgram } from '../havn-installation.ts'
import { BANKS, slowDownInitiations } from '../payment-load.ts'
import { beginBankDays, report, seconds } from '../rehearsal-clock.ts'
import { checkCounts, readCounts, untilUsed } from './balancer-statistics.ts'
import {
  checkDeliveries,
  checkEvents,
  checkLogs,
  checkNothingStuck,
  checkOrders,
  checkRequests,
  longest,
} from './check-results.ts'
import {
  havnOf,
  type Installation,
  openInstallation,
  type ProgramName,
  type Release,
  startAllPrograms,
  startRelease,
} from './installation.ts'
import { clientOf, type PartnerLoad, type Request, startPartnerLoad } from './partner-load.ts'

export type Releases = { readonly before: Release; readonly after: Release }

/** The orders differ, so that every combination of releases serves for a while: one and two of each role. */
const WORKERS_FIRST = ['worker-2', 'gateway-2', 'worker-1', 'gateway-1'] as const
const GATEWAYS_FIRST = ['gateway-1', 'gateway-2', 'worker-1', 'worker-2'] as const
const SIDE_BY_SIDE_SECONDS = 4
/** Longer than a gateway drains: it finishes such a request after its listener has closed. */
const SLOW = { milliseconds: 7_000, times: 2 }
const FINDINGS_OF_A_KIND = 10
const EVENT_TYPES = [
  'PAYMENT_STATUS',
  'PAYROLL_STATUS',
  'PAYROLL_TRANSACTION_STATUS',
  'APPROVAL_STATUS',
  'CONSENT',
] as const

/** Everything is below the folder, and on loopback. What runs is added to `running`. */
export async function rehearseUpgrade(
  folder: string,
  running: RunningProgram[],
  releases: Releases,
): Promise<readonly string[]> {
  report('starting PostgreSQL, banks, and two gateways and two workers of the release before')
  const installation = await openInstallation(folder, running)
  await havnOf(releases.before, installation.settings, 'migrate')
  await startAllPrograms(installation, releases.before)
  const requests: Request[] = []
  const client = clientOf(`https://localhost:${installation.balancer.port}`, requests)
  const day = await beginBankDays(client)
  await subscribe(client, installation)
  report('load')
  const counts = await readCounts(installation)
  const load = await startPartnerLoad(client, installation.settings, day.today)
  running.push(load)
  await seconds(SIDE_BY_SIDE_SECONDS)
  const findings: string[] = []
  const passNight = async () => {
    report('the load pauses for a night')
    await load.whilePaused(day.moveToNext)
  }
  try {
    await upgradeUnderLoad({ installation, findings, passNight }, releases)
    findings.push(...few(await load.stop()))
    report('the load has ended; time passes until everything is final')
    await settle(client, installation)
    findings.push(...few(await checkOrders(installation, load)), ...few(await checkNothingStuck(client, installation)))
    findings.push(...few(await checkEvents(installation)))
  } catch (error) {
    // What has failed until then says why.
    findings.push(error instanceof Error ? error.message : String(error), ...few(await load.stop()))
  }
  const countsAtEnd = await readCounts(installation)
  findings.push(...checkRequests(requests), ...checkCounts(counts, countsAtEnd))
  findings.push(...few(await checkLogs(installation)))
  report(`the balancer passed on ${countsAtEnd.requests - counts.requests} requests, those of banks and users included`)
  reportFigures(installation, load, requests)
  return findings
}

/** One fault makes hundreds of findings of a kind. */
function few(findings: readonly string[]): readonly string[] {
  const more = findings.length - FINDINGS_OF_A_KIND
  return more > 0 ? [...findings.slice(0, FINDINGS_OF_A_KIND), `… and ${more} more like these`] : findings
}

function reportFigures({ receiver }: Installation, { payments, payrolls }: PartnerLoad, requests: Request[]): void {
  const orders = `${payments.length} payments, ${payrolls.length} payrolls`
  report(
    `${requests.length} requests (the longest: ${longest(requests)}), ${orders}, ${receiver.received.length} deliveries`,
  )
}

type Course = {
  readonly installation: Installation
  readonly findings: string[]
  /** Moves the clock to the next day: payments are executed, and polled by whatever runs. */
  passNight(): Promise<void>
}

/** Adds to the findings what is wrong with single steps. */
async function upgradeUnderLoad(course: Course, { before, after }: Releases): Promise<void> {
  const { settings, server } = course.installation
  report('havn doctor --before-upgrade and havn migrate of the new release')
  console.log(await havnOf(after, settings, 'doctor', '--before-upgrade', '--offline'))
  console.log(await havnOf(after, settings, 'migrate'))
  report('forward')
  await replaceAll(course, WORKERS_FIRST.slice(0, 2), after)
  await course.passNight()
  await replaceAll(course, WORKERS_FIRST.slice(2), after)
  report('back to the release before, on the migrated database')
  course.findings.push(...(await checkOlderMigrate(before, settings, server)))
  await replaceAll(course, GATEWAYS_FIRST, before)
  await course.passNight()
  report('forward again')
  await replaceAll(course, GATEWAYS_FIRST, after)
}

async function replaceAll(course: Course, names: readonly ProgramName[], release: Release): Promise<void> {
  for (const name of names) {
    course.findings.push(...(await replace(course.installation, name, release)))
    await seconds(SIDE_BY_SIDE_SECONDS)
  }
}

/** Installations run it before each start: it changes nothing in the database of a newer release. */
async function checkOlderMigrate(
  before: Release,
  settings: InstallationSettings,
  { query }: PostgresServer,
): Promise<readonly string[]> {
  const applied = async () => JSON.stringify(await query('select * from migrations order by number'))
  const found = await applied()
  // Until decision 0125 it ended with an error there.
  console.log(await havnOf(before, settings, 'migrate').catch((error: Error) => error.message))
  return (await applied()) === found ? [] : ['havn migrate of the release before changed the newer database']
}

/** Drains a program, and starts that of the other release in its place. */
async function replace(installation: Installation, name: ProgramName, release: Release): Promise<readonly string[]> {
  const { settings, started } = installation
  if (name.startsWith('gateway')) {
    await Promise.all(BANKS.map(({ bic }) => slowDownInitiations(settings, bic, SLOW)))
  }
  const idle = name.startsWith('worker') ? await checkDeliveries(installation, name) : []
  const begun = performance.now()
  const code = await started.get(name)?.program.stop()
  const drained = performance.now()
  await startRelease(installation, name, release)
  if (name.startsWith('gateway')) {
    await untilUsed(installation, name)
  }
  const [drain, start] = [drained - begun, performance.now() - drained].map((time) => (time / 1_000).toFixed(1))
  report(
    `${name} is of the release ${release.name}; the other one drained in ${drain} s, this one started in ${start} s`,
  )
  return [...idle, ...(code === 0 ? [] : [`${name} ended with ${code} after SIGTERM, not with 0`])]
}

/** Answers of the receiver take a while, so that every worker that stops has deliveries in flight. */
async function subscribe(client: HavnClient, { receiver }: Installation): Promise<void> {
  let count = 0
  receiver.behave((response) => {
    count += 1
    setTimeout(() => response.writeHead(204).end(), count % 8 === 0 ? 3_000 : 100)
  })
  await client.createWebhookSubscription({ body: { targetUrl: receiver.origin, eventTypes: [...EVENT_TYPES] } })
}

/** A week; what is open then is found by the checks. */
const HALF_DAYS_MAX = 14
const DELIVERED_WITHIN_MILLISECONDS = 60_000

async function settle(client: HavnClient, { server }: Installation): Promise<void> {
  const has = async (rows: string) => (await server.query(`select from ${rows} limit 1`)).length > 0
  const isOpen = () => has(`payments where status not in ('Completed', 'Cancelled', 'Rejected')`)
  for (let moves = 0; moves < HALF_DAYS_MAX && (await isOpen()); moves += 1) {
    await moveClock(client, { advance: 'PT12H' })
  }
  await waitUntil(
    async () => !(await has('webhook_deliveries where due_at is not null')),
    DELIVERED_WITHIN_MILLISECONDS,
  )
}
