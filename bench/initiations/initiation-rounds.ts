/** Measures initiations in rounds, beside pgbench with the same statements and with the least that could be in their place, on empty and on filled tables. */
import { movableClock } from '../../gateway/platform/clock.ts'
import { type Initiate, initiationsPerSecond } from '../environment/initiation-client.ts'
import { emptyPayments, type RunningHavn, resetPayments } from '../environment/running-havn.ts'
import type { StubBank } from '../environment/stub-bank.ts'
import { median, verdict } from '../figures.ts'
import { type AddedLatency, addedLatency } from './added-latency.ts'
import { initiationScript } from './initiation-pgbench-script.ts'
import { MINIMAL_TABLES, minimalScript } from './minimal-pgbench-script.ts'
import { pgbenchPerSecond } from './run-pgbench.ts'

/** How many rounds, and how long each measurement in them. */
export type RoundsPlan = {
  readonly rounds: number
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly latencySeconds: number
  /** In the tables that are not empty. */
  readonly keptPayments: number
}

/** What rounds work with. */
export type RoundsBench = {
  readonly havn: RunningHavn
  readonly stub: StubBank
  readonly pgbench: string
  readonly initiate: Initiate
  readonly plan: RoundsPlan
}

type Pair = { readonly pgbench: number; readonly initiations: number }

/** By the second; first minute is what empty tables give that were never analysed. */
export type Round = Pair & { readonly minimal: number; readonly firstMinute: Pair; readonly added: AddedLatency }

/** As many as the gateway lets through to one bank at a time. */
export const CALLERS = 64
const REQUESTS_PER_SECOND = 100
const RATIO_MIN = 0.4
const FIRST_MINUTE_MIN = 0.8
const P50_MAX_MILLISECONDS = 5
const P99_MAX_MILLISECONDS = 25

/** What is compared runs by turns, so that a machine that grows slower spoils no ratio. */
export async function measureRounds(bench: RoundsBench): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let number = 1; number <= bench.plan.rounds; number += 1) {
    const round = await measureRound(bench, number % 2 === 1)
    rounds.push(round)
    console.log(`round ${number}: ${roundLine(round)}`)
  }
  return rounds
}

/** Empty tables come first in every other round: what is measured later in a round has the warmer process. */
async function measureRound(bench: RoundsBench, emptyFirst: boolean): Promise<Round> {
  const { havn, stub, initiate, plan } = bench
  await havn.database.pool.query(MINIMAL_TABLES)
  const minimal = await pgbenchOf(bench, minimalScript())
  const before = emptyFirst ? await pairOn(bench, emptyPayments) : undefined
  const steady = await pairOn(bench, (filled) => resetPayments(filled, plan.keptPayments))
  const firstMinute = before ?? (await pairOn(bench, emptyPayments))
  await resetPayments(havn, plan.keptPayments)
  const pace = { perSecond: REQUESTS_PER_SECOND, warmUpSeconds: plan.warmUpSeconds, seconds: plan.latencySeconds }
  const added = await addedLatency(initiate, stub, pace)
  return { minimal, ...steady, firstMinute, added }
}

/** pgbench with our statements, then initiations, each on tables made ready for it. */
async function pairOn(bench: RoundsBench, makeReady: (havn: RunningHavn) => Promise<void>): Promise<Pair> {
  const { havn, initiate, plan } = bench
  await makeReady(havn)
  const pgbench = await pgbenchOf(bench, initiationScript(movableClock().now()))
  await makeReady(havn)
  return { pgbench, initiations: await initiationsPerSecond(initiate, { ...plan, callers: CALLERS }) }
}

async function pgbenchOf({ havn, pgbench, plan }: RoundsBench, script: string): Promise<number> {
  return await pgbenchPerSecond(pgbench, { ...havn, script, clients: CALLERS, seconds: plan.seconds })
}

function roundLine({ minimal, pgbench, initiations, firstMinute, added }: Round): string {
  const ratio = (initiations / pgbench).toFixed(2)
  const latency = `p50 ${added.p50.toFixed(1)} ms, p99 ${added.p99.toFixed(1)} ms`
  const first = `first minute ${firstMinute.initiations.toFixed(0)}/s, pgbench ${firstMinute.pgbench.toFixed(0)}/s`
  return `${initiations.toFixed(0)}/s, pgbench ${pgbench.toFixed(0)}/s, ratio ${ratio}; ${first}; minimal pair ${minimal.toFixed(0)}/s; added ${latency}`
}

/** One line per figure. */
export function roundsLines(rounds: readonly Round[]): readonly string[] {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure))
  const ratio = of(({ initiations, pgbench }) => initiations / pgbench)
  const first = of(({ initiations, firstMinute }) => firstMinute.initiations / initiations)
  const [p50, p99] = [of(({ added }) => added.p50), of(({ added }) => added.p99)]
  const perSecond = (title: string, figure: (round: Round) => number) =>
    `  ${title.padEnd(31)}${of(figure).toFixed(0)} per second`
  const beside = (figure: (round: Round) => number) => of((round) => figure(round) / round.minimal).toFixed(2)
  return [
    `Medians of ${rounds.length} rounds, ${CALLERS} callers:`,
    perSecond('durable initiations', ({ initiations }) => initiations),
    perSecond('pgbench, the two statements', ({ pgbench }) => pgbench),
    `  ratio                          ${ratio.toFixed(2)} (bar: at least ${RATIO_MIN}) ${verdict(ratio >= RATIO_MIN)}`,
    perSecond('first minute, empty tables', ({ firstMinute }) => firstMinute.initiations),
    `  beside filled tables           ${first.toFixed(2)} (bar: at least ${FIRST_MINUTE_MIN}) ${verdict(first >= FIRST_MINUTE_MIN)}`,
    perSecond('pgbench, a minimal pair', ({ minimal }) => minimal),
    `    the two statements beside it ${beside(({ pgbench }) => pgbench)}, on empty tables ${beside(({ firstMinute }) => firstMinute.pgbench)}`,
    `    initiations beside it        ${beside(({ initiations }) => initiations)}, on empty tables ${beside(({ firstMinute }) => firstMinute.initiations)}`,
    `  added to a bank call, p50      ${p50.toFixed(1)} ms (bar: at most ${P50_MAX_MILLISECONDS} ms) ${verdict(p50 <= P50_MAX_MILLISECONDS)}`,
    `  added to a bank call, p99      ${p99.toFixed(1)} ms (bar: at most ${P99_MAX_MILLISECONDS} ms) ${verdict(p99 <= P99_MAX_MILLISECONDS)}`,
    `  (added at ${REQUESTS_PER_SECOND} requests per second)`,
  ]
}
