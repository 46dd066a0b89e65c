/** Compares initiations with pgbench running the same or minimal statements, on empty and filled tables. */
import { movableClock } from '../../gateway/platform/clock.ts'
import type { StubbedHavn } from '../bench-part.ts'
import { atEvenRate } from '../environment/even-rate.ts'
import { type Initiate, initiationsPerSecond } from '../environment/initiation-client.ts'
import { emptyPayments, type RunningHavn, resetPayments } from '../environment/running-havn.ts'
import type { StubBank } from '../environment/stub-bank.ts'
import { atLeast, atMost, line, median, quantile } from '../figures.ts'
import { initiationScript, MINIMAL_TABLES, minimalPgbenchScript } from './initiation-pgbench-script.ts'
import { pgbenchPerSecond } from './run-pgbench.ts'

/** The number of rounds, and the duration of each measurement. */
export type InitiationRoundsPlan = {
  readonly rounds: number
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly latencySeconds: number
  /** Number of payments in the filled tables. */
  readonly storedPayments: number
}

export type InitiationRoundsBench = StubbedHavn & { readonly pgbench: string; readonly plan: InitiationRoundsPlan }

/** Requests per second, and the duration. */
type Pace = { readonly perSecond: number; readonly warmUpSeconds: number; readonly seconds: number }

/** The latency in addition to the bank's own. */
type AddedLatency = { readonly p50: number; readonly p99: number }

/** Long enough that requests overlap, as they do at real banks. */
const BANK_TAKES_MILLISECONDS = 50

type Pair = { readonly pgbench: number; readonly initiations: number }

/** Per second; `firstMinute` is measured on empty tables that were never analysed. */
type InitiationRound = Pair & {
  readonly minimal: number
  readonly firstMinute: Pair
  readonly added: AddedLatency
}

/** The gateway's limit of concurrent calls to one bank. */
export const CALLERS = 64
const REQUESTS_PER_SECOND = 100

/** Measurements that are compared alternate, so that a machine that becomes slower does not distort the ratios. */
export async function measureInitiationRounds(bench: InitiationRoundsBench): Promise<readonly string[]> {
  const rounds: InitiationRound[] = []
  for (let number = 1; number <= bench.plan.rounds; number += 1) {
    const round = await measureRound(bench, number % 2 === 1)
    rounds.push(round)
    console.log(`round ${number}: ${roundLine(round)}`)
  }
  return linesOf(rounds)
}

/** Empty tables come first in every other round: a later measurement in a round has a warmer process. */
async function measureRound(bench: InitiationRoundsBench, emptyFirst: boolean): Promise<InitiationRound> {
  const { havn, stub, initiate, plan } = bench
  await havn.database.pool.query(MINIMAL_TABLES)
  const minimal = await runPgbenchFor(bench, minimalPgbenchScript())
  const before = emptyFirst ? await measurePairOn(bench, emptyPayments) : undefined
  const steady = await measurePairOn(bench, (filled) => resetPayments(filled, plan.storedPayments))
  const firstMinute = before ?? (await measurePairOn(bench, emptyPayments))
  await resetPayments(havn, plan.storedPayments)
  const pace = { perSecond: REQUESTS_PER_SECOND, warmUpSeconds: plan.warmUpSeconds, seconds: plan.latencySeconds }
  const added = await addedLatency(initiate, stub, pace)
  return { minimal, ...steady, firstMinute, added }
}

/** pgbench with the gateway's statements, then initiations, each on freshly prepared tables. */
async function measurePairOn(
  bench: InitiationRoundsBench,
  makeReady: (havn: RunningHavn) => Promise<void>,
): Promise<Pair> {
  const { havn, initiate, plan } = bench
  await makeReady(havn)
  const pgbench = await runPgbenchFor(bench, initiationScript(movableClock().now()))
  await makeReady(havn)
  return { pgbench, initiations: await initiationsPerSecond(initiate, { ...plan, callers: CALLERS }) }
}

async function runPgbenchFor({ havn, pgbench, plan }: InitiationRoundsBench, script: string): Promise<number> {
  return await pgbenchPerSecond(pgbench, { ...havn, script, clients: CALLERS, seconds: plan.seconds })
}

/** The bank's time is measured inside the stub; the rest is the gateway's, the network and the load generator. */
async function addedLatency(initiate: Initiate, stub: StubBank, pace: Pace): Promise<AddedLatency> {
  stub.takeMilliseconds(BANK_TAKES_MILLISECONDS)
  const sent: Promise<number>[] = []
  for await (const _ of atEvenRate(pace.perSecond * (pace.warmUpSeconds + pace.seconds), pace.perSecond)) {
    sent.push(timed(initiate, stub))
  }
  const added = (await Promise.all(sent)).slice(pace.perSecond * pace.warmUpSeconds)
  stub.takeMilliseconds(0)
  return { p50: quantile(added, 0.5), p99: quantile(added, 0.99) }
}

async function timed(initiate: Initiate, stub: StubBank): Promise<number> {
  const began = performance.now()
  const endToEndId = await initiate()
  const total = performance.now() - began
  const took = stub.tookMilliseconds(endToEndId)
  if (took === undefined) {
    throw new Error(`The stub bank did not see the order ${endToEndId}`)
  }
  return total - took
}

function roundLine({ minimal, pgbench, initiations, firstMinute, added }: InitiationRound): string {
  const ratio = (initiations / pgbench).toFixed(2)
  const latency = `p50 ${added.p50.toFixed(1)} ms, p99 ${added.p99.toFixed(1)} ms`
  const first = `first minute ${firstMinute.initiations.toFixed(0)}/s, pgbench ${firstMinute.pgbench.toFixed(0)}/s`
  return `${initiations.toFixed(0)}/s, pgbench ${pgbench.toFixed(0)}/s, ratio ${ratio}; ${first}; minimal pair ${minimal.toFixed(0)}/s; added ${latency}`
}

type Figure = (round: InitiationRound) => number

/** One line per figure. */
function linesOf(rounds: readonly InitiationRound[]): readonly string[] {
  const of = (figure: Figure) => median(rounds.map(figure))
  const perSecond = (title: string, figure: Figure) => line(title, `${of(figure).toFixed(0)} per second`)
  const ratio = (title: string, min: number, figure: Figure) => line(title, atLeast(of(figure), min, { decimals: 2 }))
  const milliseconds = (title: string, max: number, figure: Figure) =>
    line(title, atMost(of(figure), max, { unit: ' ms', decimals: 1 }))
  const beside = of(({ initiations, minimal }) => initiations / minimal).toFixed(2)
  const besideEmpty = of(({ firstMinute, minimal }) => firstMinute.initiations / minimal).toFixed(2)
  return [
    `Medians of ${rounds.length} rounds, ${CALLERS} callers:`,
    perSecond('durable initiations', ({ initiations }) => initiations),
    perSecond('pgbench, the two statements', ({ pgbench }) => pgbench),
    ratio('ratio', 0.4, ({ initiations, pgbench }) => initiations / pgbench),
    perSecond('first minute, empty tables', ({ firstMinute }) => firstMinute.initiations),
    ratio('relative to filled tables', 0.8, ({ initiations, firstMinute }) => firstMinute.initiations / initiations),
    perSecond('pgbench, a minimal pair', ({ minimal }) => minimal),
    perSecond('the two statements, empty', ({ firstMinute }) => firstMinute.pgbench),
    ratio('  the two statements, ratio', 0.5, ({ pgbench, minimal }) => pgbench / minimal),
    ratio('  the same on empty tables', 0.5, ({ firstMinute, minimal }) => firstMinute.pgbench / minimal),
    line('  initiations, ratio', `${beside}, on empty tables ${besideEmpty}`),
    milliseconds('added to a bank call, p50', 5, ({ added }) => added.p50),
    milliseconds('added to a bank call, p99', 25, ({ added }) => added.p99),
    `  (added at ${REQUESTS_PER_SECOND} requests per second)`,
  ]
}
