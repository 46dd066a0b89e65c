/** Rehearses an upgrade, its way back and the upgrade again under load, step by step; returns what is wrong. */
import { movableClock } from '../../gateway/platform/clock.ts'
import { nextBankMorning } from '../../gateway/testing/gateway/start-on-bank-day.ts'
import type { HavnClient } from '../../sdk/index.ts'
import type { RunningProgram } from '../havn-installation.ts'
import { BANKS, type Today } from '../payment-load.ts'
import { slowDownInitiations } from '../payroll-load.ts'
import { checkCounts, readCounts, untilUsed } from './balancer-statistics.ts'
import { checkEvents } from './check-events.ts'
import { checkNothingStuck, checkOrders } from './check-orders.ts'
import { checkDeliveries, checkLogs, checkRequests, longest } from './check-requests.ts'
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
import { settle } from './settle.ts'

export type Releases = { readonly before: Release; readonly after: Release }

/** The orders differ, so that every combination of releases serves for a while: one and two of each role. */
const WORKERS_FIRST = ['worker-2', 'gateway-2', 'worker-1', 'gateway-1'] as const
const GATEWAYS_FIRST = ['gateway-1', 'gateway-2', 'worker-1', 'worker-2'] as const
const SIDE_BY_SIDE_SECONDS = 4
/** Longer than a gateway drains: it finishes such a request after its listener has closed. */
const SLOW = { milliseconds: 7_000, times: 2 }
/** Wall time: nothing moves it here. */
const CLOCK = movableClock()

/** Everything is below the folder, and on loopback. What runs is added to `running`. */
export async function rehearseUpgrade(
  folder: string,
  running: RunningProgram[],
  { before, after }: Releases,
): Promise<readonly string[]> {
  report('starting PostgreSQL, banks, and two gateways and two workers of the release before')
  const installation = await openInstallation(folder, running)
  const { settings, receiver } = installation
  await havnOf(before, settings, 'migrate')
  await startAllPrograms(installation, before)
  const requests: Request[] = []
  const client = clientOf(`https://localhost:${installation.balancer.port}`, requests)
  const today = await moveToBankDay(client)
  slowReceiver(installation)
  const eventTypes = [
    'PAYMENT_STATUS',
    'PAYROLL_STATUS',
    'PAYROLL_TRANSACTION_STATUS',
    'APPROVAL_STATUS',
    'CONSENT',
  ] as const
  await client.createWebhookSubscription({ body: { targetUrl: receiver.origin, eventTypes: [...eventTypes] } })
  report('load')
  const counts = await readCounts(installation)
  const load = await startPartnerLoad(client, settings, today)
  running.push(load)
  await seconds(SIDE_BY_SIDE_SECONDS)
  const findings = [...(await upgradeUnderLoad(installation, { before, after }))]
  findings.push(...(await load.stop()))
  report('the load has ended; time passes until everything is final')
  await settle(client, installation)
  findings.push(...checkRequests(requests), ...checkCounts(counts, await readCounts(installation)))
  findings.push(...(await checkOrders(installation, load)), ...(await checkNothingStuck(client, installation)))
  findings.push(...(await checkEvents(installation)), ...(await checkLogs(installation)))
  reportFigures(installation, load, requests)
  return findings
}

function reportFigures({ receiver }: Installation, { payments, payrolls }: PartnerLoad, requests: Request[]): void {
  const orders = `${payments.length} payments, ${payrolls.length} payrolls`
  report(
    `${requests.length} requests (the longest: ${longest(requests)}), ${orders}, ${receiver.received.length} deliveries`,
  )
}

async function upgradeUnderLoad(installation: Installation, { before, after }: Releases): Promise<readonly string[]> {
  const findings: string[] = []
  report('havn doctor --before-upgrade and havn migrate of the new release')
  console.log(await havnOf(after, installation.settings, 'doctor', '--before-upgrade', '--offline'))
  console.log(await havnOf(after, installation.settings, 'migrate'))
  const replaceAll = async (names: readonly ProgramName[], release: Release) => {
    for (const name of names) {
      findings.push(...(await replace(installation, name, release)))
      await seconds(SIDE_BY_SIDE_SECONDS)
    }
  }
  report('forward')
  await replaceAll(WORKERS_FIRST, after)
  report('back to the release before, on the migrated database')
  await replaceAll(GATEWAYS_FIRST, before)
  report('forward again')
  await replaceAll(GATEWAYS_FIRST, after)
  return findings
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
  return [...idle, ...(code === 0 ? [] : [`${name} ended with ${code} after SIGTERM`])]
}

/** Answers take a while, so that every worker that stops has deliveries in flight. */
function slowReceiver({ receiver }: Installation): void {
  let count = 0
  receiver.behave((response) => {
    count += 1
    setTimeout(() => response.writeHead(204).end(), count % 8 === 0 ? 3_000 : 100)
  })
}

/** A morning on which all banks are open. */
async function moveToBankDay(client: HavnClient): Promise<Today> {
  const morning = nextBankMorning(CLOCK.today('Europe/Helsinki'))
  await client.moveSandboxClock({ body: { set: morning.toString() } })
  return (timeZone) => morning.toZonedDateTimeISO(timeZone).toPlainDate()
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000))

function report(text: string): void {
  console.log(`${CLOCK.real().toString({ smallestUnit: 'second' })} ${text}`)
}
