/** Runs all webhook measurements on a separate Havn, and renders the figures. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measurementOf, type OnHavn } from '../bench-part.ts'
import { findWorker } from '../environment/process-usage.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { barResult, median, quantile } from '../figures.ts'
import {
  type Drained,
  drainBacklog,
  latency,
  latencyWithMisbehavingEndpoint,
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

type WebhookPlan = {
  /** Partners with healthy endpoints; `busy` of them take part in the throughput measurement. */
  readonly healthy: number
  readonly busy: number
  readonly subscriptionsOfBacklog: number
  readonly eventsPerSecond: number
  readonly newEventsPerSecond: number
  /** Warm-up of connections, caches and code. */
  readonly warmUpSeconds: number
  readonly rounds: number
  /** Of the bare loop: before it is counted, and while it is. */
  readonly bareWarmUpSeconds: number
  readonly seconds: number
  readonly changes: number
  readonly recorded: number
  readonly latencySeconds: number
  readonly backlog: number
}

export const webhooks = measurementOf<WebhookPlan, WebhookBenchFigures>({
  full: {
    healthy: 100,
    busy: 20,
    subscriptionsOfBacklog: 10,
    eventsPerSecond: 300,
    newEventsPerSecond: 20,
    warmUpSeconds: 3,
    rounds: 3,
    bareWarmUpSeconds: 1,
    seconds: 5,
    // A fifth is warm-up; the rest takes about five seconds, like the bare loop.
    changes: 60_000,
    recorded: 10_000,
    latencySeconds: 20,
    backlog: 200_000,
  },
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
  measure: measureWithEndpoints,
  lines,
})

type WebhookBenchFigures = {
  readonly rounds: readonly Throughput[]
  /** p95 with all endpoints healthy, in milliseconds. */
  readonly alone: number
  readonly withMisbehaving: Readonly<Record<Misbehaviour, number>>
  readonly drained: Drained
}

const MISBEHAVIOURS = ['dead', 'drip', 'late'] as const
const BACKLOG_PARTNERS = 4

async function measureWithEndpoints(onHavn: OnHavn, plan: WebhookPlan): Promise<WebhookBenchFigures> {
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

async function measureOn(
  { havn, endpoints }: Omit<Opened, 'recorder'>,
  plan: WebhookPlan,
): Promise<WebhookBenchFigures> {
  const recorder = await openRecorder(havn)
  try {
    const fixture = await subscribeAll({ recorder, havn, endpoints }, plan)
    return await measure({ recorder, endpoints, worker: await findWorker(havn.supervisorPid) }, fixture, plan)
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
  fixture: WebhookSubscribers,
  plan: WebhookPlan,
): Promise<WebhookBenchFigures> {
  const { healthy, bad, backlog } = fixture
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
  const alone: number[] = []
  const withMisbehaving = { dead: Number.NaN, drip: Number.NaN, late: Number.NaN }
  for (const manner of MISBEHAVIOURS) {
    alone.push(p95(await latency(bench, healthy, pace)))
    const beginning = { ...pace, subscriber: bad[manner], manner }
    withMisbehaving[manner] = p95(await latencyWithMisbehavingEndpoint(bench, healthy.slice(1), beginning))
  }
  const wanted = { deliveries: plan.backlog, perSecond: plan.newEventsPerSecond }
  return { rounds, alone: median(alone), withMisbehaving, drained: await drainBacklog(bench, backlog, healthy, wanted) }
}

function roundLine({ delivered, bare, recordedAndDelivered }: Throughput): string {
  const ratio = (delivered / bare).toFixed(2)
  const both = recordedAndDelivered.toFixed(0)
  return `${delivered.toFixed(0)}/s, bare loop ${bare.toFixed(0)}/s, ratio ${ratio}; recorded and delivered ${both}/s`
}

function p95(values: readonly number[]): number {
  return quantile(values, 0.95)
}

const RATIO_MIN = 0.5
const P95_MAX_MILLISECONDS = 250
const MISBEHAVING_RATIO_MAX = 1.2
const MEGABYTES_MAX = 300
const NEW_MAX_MILLISECONDS = 1000

const TITLES = { dead: 'with a dead endpoint', drip: 'with a dripping one', late: 'with one that takes 9.9 s' }

function lines({ rounds, alone, withMisbehaving, drained }: WebhookBenchFigures): readonly string[] {
  const ratio = median(rounds.map(({ delivered, bare }) => delivered / bare))
  const of = (figure: 'delivered' | 'bare' | 'recordedAndDelivered') =>
    median(rounds.map((round) => round[figure])).toFixed(0)
  const { perSecond, peakMegabytes, newest } = drained
  return [
    'Webhooks:',
    line('signed deliveries', `${of('delivered')} per second`),
    line('a bare loop', `${of('bare')} per second`),
    line('ratio', ratio.toFixed(2), `at least ${RATIO_MIN}`, ratio >= RATIO_MIN),
    line('recorded and delivered', `${of('recordedAndDelivered')} per second, at the same time`),
    milliseconds('from record to arrival, p95', alone, P95_MAX_MILLISECONDS),
    ...(['dead', 'drip', 'late'] as const).map((manner) => {
      const times = withMisbehaving[manner] / alone
      const figure = `${withMisbehaving[manner].toFixed(0)} ms, ${times.toFixed(2)} times`
      return line(
        `  ${TITLES[manner]}`,
        figure,
        `at most ${MISBEHAVING_RATIO_MAX} times`,
        times <= MISBEHAVING_RATIO_MAX,
      )
    }),
    line('backlog drained', `${perSecond.toFixed(0)} per second`),
    line(
      '  peak memory',
      `${peakMegabytes.toFixed(0)} MB`,
      `at most ${MEGABYTES_MAX} MB`,
      peakMegabytes <= MEGABYTES_MAX,
    ),
    milliseconds('  new events meanwhile, p95', newest.p95, NEW_MAX_MILLISECONDS),
    milliseconds('  new events meanwhile, slowest', newest.max, NEW_MAX_MILLISECONDS),
  ]
}

function milliseconds(title: string, value: number, most: number): string {
  return line(title, `${value.toFixed(0)} ms`, `at most ${most} ms`, value <= most)
}

function line(title: string, figure: string, bar?: string, isMet?: boolean): string {
  const barText = bar === undefined ? '' : ` (bar: ${bar}) ${barResult(isMet === true)}`
  return `  ${title.padEnd(33)}${figure}${barText}`
}
