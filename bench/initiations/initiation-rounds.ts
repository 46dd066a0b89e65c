/** Compares initiations with pgbench running the same or minimal statements, on empty and filled tables. */
import { movableClock } from '../../gateway/platform/clock.ts'
import type { StubbedHavn } from '../bench-part.ts'
import { initiationsPerSecond } from '../environment/initiation-client.ts'
import { emptyPayments, type RunningHavn, resetPayments } from '../environment/running-havn.ts'
import { barResult, median } from '../figures.ts'
import { type AddedLatency, addedLatency } from './added-latency.ts'
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

type Pair = { readonly pgbench: number; readonly initiations: number }

/** Per second; `firstMinute` is measured on empty tables that were never analysed. */
export type InitiationRound = Pair & {
  readonly minimal: number
  readonly firstMinute: Pair
  readonly added: AddedLatency
}

/** The gateway's limit of concurrent calls to one bank. */
export const CALLERS = 64
const REQUESTS_PER_SECOND = 100
const RATIO_MIN = 0.4
const BESIDE_MINIMAL_MIN = 0.5
const FIRST_MINUTE_MIN = 0.8
const P50_MAX_MILLISECONDS = 5
const P99_MAX_MILLISECONDS = 25

/** Measurements that are compared alternate, so that a machine that becomes slower does not distort the ratios. */
export async function measureInitiationRounds(bench: InitiationRoundsBench): Promise<readonly InitiationRound[]> {
  const rounds: InitiationRound[] = []
  for (let number = 1; number <= bench.plan.rounds; number += 1) {
    const round = await measureRound(bench, number % 2 === 1)
    rounds.push(round)
    console.log(`round ${number}: ${roundLine(round)}`)
  }
  return rounds
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

function roundLine({ minimal, pgbench, initiations, firstMinute, added }: InitiationRound): string {
  const ratio = (initiations / pgbench).toFixed(2)
  const latency = `p50 ${added.p50.toFixed(1)} ms, p99 ${added.p99.toFixed(1)} ms`
  const first = `first minute ${firstMinute.initiations.toFixed(0)}/s, pgbench ${firstMinute.pgbench.toFixed(0)}/s`
  return `${initiations.toFixed(0)}/s, pgbench ${pgbench.toFixed(0)}/s, ratio ${ratio}; ${first}; minimal pair ${minimal.toFixed(0)}/s; added ${latency}`
}

/** One line per figure. */
export function initiationRoundLines(rounds: readonly InitiationRound[]): readonly string[] {
  const of = (figure: (round: InitiationRound) => number) => median(rounds.map(figure))
  const ratio = of(({ initiations, pgbench }) => initiations / pgbench)
  const first = of(({ initiations, firstMinute }) => firstMinute.initiations / initiations)
  const [p50, p99] = [of(({ added }) => added.p50), of(({ added }) => added.p99)]
  const perSecond = (title: string, figure: (round: InitiationRound) => number) =>
    `  ${title.padEnd(31)}${of(figure).toFixed(0)} per second`
  const beside = (figure: (round: InitiationRound) => number) => of((round) => figure(round) / round.minimal).toFixed(2)
  const statements = (figure: (round: InitiationRound) => number) =>
    `${beside(figure)} (bar: at least ${BESIDE_MINIMAL_MIN}) ${barResult(Number(beside(figure)) >= BESIDE_MINIMAL_MIN)}`
  return [
    `Medians of ${rounds.length} rounds, ${CALLERS} callers:`,
    perSecond('durable initiations', ({ initiations }) => initiations),
    perSecond('pgbench, the two statements', ({ pgbench }) => pgbench),
    `  ratio                          ${ratio.toFixed(2)} (bar: at least ${RATIO_MIN}) ${barResult(ratio >= RATIO_MIN)}`,
    perSecond('first minute, empty tables', ({ firstMinute }) => firstMinute.initiations),
    `  relative to filled tables      ${first.toFixed(2)} (bar: at least ${FIRST_MINUTE_MIN}) ${barResult(first >= FIRST_MINUTE_MIN)}`,
    perSecond('pgbench, a minimal pair', ({ minimal }) => minimal),
    perSecond('the two statements, empty', ({ firstMinute }) => firstMinute.pgbench),
    `    the two statements, ratio    ${statements(({ pgbench }) => pgbench)}`,
    `    the same on empty tables     ${statements(({ firstMinute }) => firstMinute.pgbench)}`,
    `    initiations, ratio           ${beside(({ initiations }) => initiations)}, on empty tables ${beside(({ firstMinute }) => firstMinute.initiations)}`,
    `  added to a bank call, p50      ${p50.toFixed(1)} ms (bar: at most ${P50_MAX_MILLISECONDS} ms) ${barResult(p50 <= P50_MAX_MILLISECONDS)}`,
    `  added to a bank call, p99      ${p99.toFixed(1)} ms (bar: at most ${P99_MAX_MILLISECONDS} ms) ${barResult(p99 <= P99_MAX_MILLISECONDS)}`,
    `  (added at ${REQUESTS_PER_SECOND} requests per second)`,
  ]
}
