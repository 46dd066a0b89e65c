/** Enriches the latest entries of an account with what the bank tells of each by itself, as far as it answers in time. */
import { setTimeout } from 'node:timers/promises'
import type { BankEntry } from '../banks/connector/bank-account.ts'
import { BankRefusal, isGone } from '../banks/connector/bank-error.ts'
import { steadyMilliseconds } from '../platform/clock.ts'
import { Refusal } from '../platform/http/errors/api-error.ts'
import type { ReadEntry } from './entry.ts'
import { withDetails } from './merge-entry-details.ts'
import type { EntryReading } from './open-entry-reader.ts'

/** What one answer may cost its bank, and its caller. */
export const ENRICHING = {
  /** Entries that are asked after. */
  callsMax: 100,
  /** Of these at the same time. */
  atOnce: 4,
  /** From the first of them on; those that the bank has not told by then are left as they are. */
  millisecondsMax: 15_000,
  /** Answers that never came; after so many the bank is left alone. */
  failuresMax: 3,
} as const

/** Days in which the order of an account's entries must show; until then this many are held. */
const UNDECIDED_MAX = 1_000

type Limits = { readonly [name in keyof typeof ENRICHING]: number }
type Budget = { readonly limits: Limits; calls: number; failures: number; endsAt: number | null; isOver: boolean }

/**
 * The same entries in the same order. Where the latest come first they are enriched as they come; elsewhere as many as
 * may be enriched are held back, because nobody knows which ones are the last until there are no more.
 */
export async function* enrichLatest(
  reading: EntryReading,
  pages: AsyncIterable<readonly BankEntry[]>,
  limits: Limits = ENRICHING,
): AsyncGenerator<readonly ReadEntry[]> {
  const budget: Budget = { limits, calls: 0, failures: 0, endsAt: null, isOver: false }
  let held: readonly BankEntry[] = []
  let latestFirst: boolean | undefined
  for await (const page of pages) {
    held = [...held, ...page]
    latestFirst ??= isLatestFirst(held)
    if (latestFirst === true) {
      yield await enriched(reading, held, budget)
      held = []
    } else if (latestFirst === false && held.length > limits.callsMax) {
      yield held.slice(0, -limits.callsMax).map(asTold)
      held = held.slice(-limits.callsMax)
    }
  }
  yield await enriched(reading, held, budget)
}

/** Undefined while all of them are of one day. */
function isLatestFirst(entries: readonly BankEntry[]): boolean | undefined {
  const days = entries.flatMap(({ bookedOn }) => bookedOn ?? [])
  const [first, last] = [days[0], days.at(-1)]
  const order = first === undefined || last === undefined ? 0 : Temporal.PlainDate.compare(first, last)
  return order === 0 ? (entries.length > UNDECIDED_MAX ? false : undefined) : order > 0
}

function asTold(told: BankEntry): ReadEntry {
  return { told, listed: told, enriched: false }
}

/** Several at a time, the latest first. */
async function enriched(
  reading: EntryReading,
  entries: readonly BankEntry[],
  budget: Budget,
): Promise<readonly ReadEntry[]> {
  const result = entries.map(asTold)
  const waiting = [...entries.entries()]
    .toSorted(([, one], [, other]) => dayOf(other).localeCompare(dayOf(one)))
    .values()
  const worker = async () => {
    for (const [index, told] of waiting) {
      const details = await detailsOf(reading, told, budget)
      const whole = details === undefined ? undefined : withDetails(told, details)
      if (whole !== undefined) {
        result[index] = { told: whole, listed: told, enriched: true }
      }
    }
  }
  await Promise.all(Array.from({ length: budget.limits.atOnce }, worker))
  return result
}

function dayOf({ bookedOn, valueOn }: BankEntry): string {
  return String(bookedOn ?? valueOn ?? '')
}

/** Undefined where the bank does not tell, or may not be asked any more. */
async function detailsOf(
  { bank, account, accounts, caller, asking, counting }: EntryReading,
  { transactionId }: BankEntry,
  budget: Budget,
): Promise<BankEntry | undefined> {
  const { entryDetails } = accounts
  const left = millisecondsLeft(budget)
  if (budget.isOver || left <= 0 || transactionId === null || !bank.profile.entries.details || !entryDetails) {
    return undefined
  }
  budget.calls += 1
  budget.isOver = budget.calls >= budget.limits.callsMax
  const ask = async () => entryDetails(await caller(), account.resourceId, transactionId)
  const asked = counting('details', () => asking(ask))
  try {
    const told = await inTime(asked, left)
    // Timers may fire a moment early: who was not answered in time is not asked again.
    budget.isOver ||= told === undefined
    return told
  } catch (error) {
    noteFailure(budget, error)
    return undefined
  }
}

function millisecondsLeft(budget: Budget): number {
  budget.endsAt ??= steadyMilliseconds() + budget.limits.millisecondsMax
  return budget.endsAt - steadyMilliseconds()
}

/** Undefined when no answer came in time. */
async function inTime<Result>(asked: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
  const answered = new AbortController()
  const late = setTimeout(milliseconds, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    return await Promise.race([asked, late])
  } finally {
    answered.abort()
  }
}

/** An entry that the bank does not know by itself says nothing of the others; a bank that forbids one forbids all. */
function noteFailure(budget: Budget, error: unknown): void {
  if (!(error instanceof BankRefusal) && !(error instanceof Refusal)) {
    throw error
  }
  if (!isGone(error)) {
    budget.failures += 1
    const mayComeBack = error instanceof BankRefusal && error.kind === 'unavailable'
    budget.isOver ||= !mayComeBack || budget.failures >= budget.limits.failuresMax
  }
}
