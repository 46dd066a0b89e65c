/** Runs all webhook measurements on a separate Havn, and renders the figures. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measurementOf, type OnHavn } from '../bench-part.ts'
import { findWorker } from '../environment/process-usage.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { atLeast, atMost, line, median, quantile } from '../figures.ts'
import {
  type Drained,
  drainBacklog,
  latency,
  latencyWithBadEndpoint,
  type Throughput,
  throughput,
  type WebhookBench,
} from './webhook-deliveries.ts'
import {
  type Endpoints,
  type Misbehaviour,
  openRecorder,
  type Recorder,
  type Subscriber,
  startEndpoints,
  subscribe,
} from './webhook-endpoints.ts'

const FULL = {
  /** Partners with healthy endpoints; `busy` of them take part in the throughput measurement. */
  healthy: 100,
  busy: 20,
  subscriptionsOfBacklog: 10,
  eventsPerSecond: 300,
  newEventsPerSecond: 20,
  /** Warm-up of connections, caches and code. */
  warmUpSeconds: 3,
  rounds: 3,
  /** Of the bare loop: before it is counted, and while it is. */
  bareWarmUpSeconds: 1,
  seconds: 5,
  /** A fifth is warm-up; the rest takes about five seconds, like the bare loop. */
  changes: 60_000,
  recorded: 10_000,
  latencySeconds: 20,
  backlog: 200_000,
}
type WebhookPlan = typeof FULL

export const webhooks = measurementOf<WebhookPlan>(
  {
    full: FULL,
    short: {
      healthy: 3,
      busy: 2,
      subscriptionsOfBacklog: 2,
      eventsPerSecond: 20,
      newEventsPerSecond: 5,
      warmUpSeconds: 0,
      rounds: 1,
      bareWarmUpSeconds: 0.2,
      seconds: 0.4,
      changes: 20,
      recorded: 10,
      latencySeconds: 0.5,
      backlog: 40,
    },
  },
  measureWithEndpoints,
)

/** The kinds of bad endpoints, as they are printed. */
const MISBEHAVIOURS = [
  ['dead', 'with a dead endpoint'],
  ['drip', 'with a dripping one'],
  ['late', 'with one that takes 9.9 s'],
] as const
const BACKLOG_PARTNERS = 4

async function measureWithEndpoints(onHavn: OnHavn, plan: WebhookPlan): Promise<readonly string[]> {
  const endpoints = await startEndpoints(plan.healthy + MISBEHAVIOURS.length + BACKLOG_PARTNERS)
  const folder = await mkdtemp(join(tmpdir(), 'havn-bench-authority-'))
  const authorityFile = join(folder, 'authority.pem')
  await writeFile(authorityFile, endpoints.authority)
  try {
    return await onHavn((havn) => measureOn({ havn, endpoints }, plan), { HAVN_WEBHOOK_CA_FILE: authorityFile })
  } finally {
    await endpoints.close()
    await rm(folder, { recursive: true })
  }
}

async function measureOn({ havn, endpoints }: Omit<Opened, 'recorder'>, plan: WebhookPlan): Promise<readonly string[]> {
  const recorder = await openRecorder(havn)
  try {
    const subscribers = await subscribeAll({ recorder, havn, endpoints }, plan)
    return await measure({ recorder, endpoints, worker: await findWorker(havn.supervisorPid) }, subscribers, plan)
  } finally {
    await recorder.close()
  }
}

type WebhookSubscribers = {
  readonly healthy: readonly Subscriber[]
  readonly bad: Readonly<Record<Misbehaviour, Subscriber>>
  readonly backlog: readonly Subscriber[]
}

type Opened = { readonly recorder: Recorder; readonly havn: RunningHavn; readonly endpoints: Endpoints }

async function subscribeAll({ recorder, havn, endpoints }: Opened, plan: WebhookPlan): Promise<WebhookSubscribers> {
  const origins = endpoints.origins.values()
  const one = (subscriptions = 1) =>
    subscribe(recorder, havn, endpoints, { origin: origins.next().value ?? '', subscriptions })
  const several = async (count: number, subscriptions = 1) => {
    const subscribers: Subscriber[] = []
    while (subscribers.length < count) {
      subscribers.push(await one(subscriptions))
    }
    return subscribers
  }
  const healthy = await several(plan.healthy)
  const bad = { dead: await one(), drip: await one(), late: await one() }
  return { healthy, bad, backlog: await several(BACKLOG_PARTNERS, plan.subscriptionsOfBacklog) }
}

async function measure(
  bench: WebhookBench,
  { healthy, bad, backlog }: WebhookSubscribers,
  plan: WebhookPlan,
): Promise<readonly string[]> {
  const pace = { perSecond: plan.eventsPerSecond, seconds: plan.latencySeconds }
  if (plan.warmUpSeconds > 0) {
    await latency(bench, healthy, { ...pace, seconds: plan.warmUpSeconds })
  }
  const rounds: Throughput[] = []
  for (let round = 1; round <= plan.rounds; round += 1) {
    const figures = await throughput(bench, healthy.slice(0, plan.busy), plan)
    rounds.push(figures)
    console.log(`webhooks, round ${round}: ${roundLine(figures)}`)
  }
  const [alone, misbehaving]: [number[], number[]] = [[], []]
  for (const [manner] of MISBEHAVIOURS) {
    alone.push(quantile(await latency(bench, healthy, pace), 0.95))
    const beside = await latencyWithBadEndpoint(bench, healthy.slice(1), pace, { subscriber: bad[manner], manner })
    misbehaving.push(quantile(beside, 0.95))
  }
  const p95 = median(alone)
  const wanted = { deliveries: plan.backlog, perSecond: plan.newEventsPerSecond }
  return [
    ...throughputLines(rounds),
    line('from record to arrival, p95', atMost(p95, 250, MILLISECONDS)),
    ...MISBEHAVIOURS.map(([, title], at) => {
      const ratio = atMost((misbehaving[at] ?? 0) / p95, 1.2, { unit: ' times', decimals: 2 })
      return line(`  ${title}`, `${misbehaving[at]?.toFixed(0)} ms, ${ratio}`)
    }),
    ...drainedLines(await drainBacklog(bench, backlog, healthy, wanted)),
  ]
}

const MILLISECONDS = { unit: ' ms' }

function roundLine({ delivered, bare, recordedAndDelivered }: Throughput): string {
  const ratio = (delivered / bare).toFixed(2)
  const both = recordedAndDelivered.toFixed(0)
  return `${delivered.toFixed(0)}/s, bare loop ${bare.toFixed(0)}/s, ratio ${ratio}; recorded and delivered ${both}/s`
}

function throughputLines(rounds: readonly Throughput[]): readonly string[] {
  const of = (figure: keyof Throughput) => `${median(rounds.map((round) => round[figure])).toFixed(0)} per second`
  const ratio = median(rounds.map(({ delivered, bare }) => delivered / bare))
  return [
    'Webhooks:',
    line('signed deliveries', of('delivered')),
    line('a bare loop', of('bare')),
    line('ratio', atLeast(ratio, 0.5, { decimals: 2 })),
    line('recorded and delivered', `${of('recordedAndDelivered')}, at the same time`),
  ]
}

function drainedLines({ perSecond, peakMegabytes, newest }: Drained): readonly string[] {
  return [
    line('backlog drained', `${perSecond.toFixed(0)} per second`),
    line('  peak memory', atMost(peakMegabytes, 300, { unit: ' MB' })),
    line('  new events meanwhile, p95', atMost(newest.p95, 1_000, MILLISECONDS)),
    line('  new events meanwhile, slowest', atMost(newest.max, 1_000, MILLISECONDS)),
  ]
}
