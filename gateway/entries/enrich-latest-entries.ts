/** Enriches the latest entries of an account with what the bank tells of each by itself, as far as it answers in time. */

import { setTimeout } from 'node:timers/promises'
import type { BankEntry } from '../banks/connector/bank-account.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { isBankError, isResourceGone } from '../banks/connector/bank-error-classification.ts'
import { monotonicMilliseconds } from '../platform/clock.ts'
import { ApiError } from '../platform/http/errors/api-error.ts'
import type { EnrichedEntry } from './entry.ts'
import { mergeEntryDetails } from './merge-entry-details.ts'
import type { EntryReader } from './open-entry-reader.ts'

/** What one answer may cost its bank, and its caller. */
export const ENRICHMENT_LIMITS = {
  /** Entries that are asked after. */
  callsMax: 100,
  /** Of these at the same time. */
  atOnce: 4,
  /** From the first of them on; those that the bank has not reported by then are left as they are. */
  millisecondsMax: 15_000,
  /** Answers that never came; after so many the bank is left alone. */
  failuresMax: 3,
} as const

/** Days in which the order of an account's entries must show; until then this many are held. */
const UNORDERED_MAX = 1_000

type Limits = { readonly [name in keyof typeof ENRICHMENT_LIMITS]: number }
type Budget = { readonly limits: Limits; calls: number; failures: number; endsAt: number | null; isOver: boolean }

/**
 * The same entries in the same order. Where the latest come first they are enriched as they come; elsewhere as many as
 * may be enriched are held back, because nobody knows which ones are the last until there are no more.
 */
export async function* enrichLatestEntries(
  reading: EntryReader,
  pages: AsyncIterable<readonly BankEntry[]>,
  limits: Limits = ENRICHMENT_LIMITS,
): AsyncGenerator<readonly EnrichedEntry[]> {
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
      yield held.slice(0, -limits.callsMax).map(withoutDetails)
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
  return order === 0 ? (entries.length > UNORDERED_MAX ? false : undefined) : order > 0
}

function withoutDetails(reported: BankEntry): EnrichedEntry {
  return { reported, listed: reported, enriched: false }
}

/** Several at a time, the latest first. */
async function enriched(
  reading: EntryReader,
  entries: readonly BankEntry[],
  budget: Budget,
): Promise<readonly EnrichedEntry[]> {
  const result = entries.map(withoutDetails)
  const waiting = [...entries.entries()]
    .toSorted(([, one], [, other]) => dayOf(other).localeCompare(dayOf(one)))
    .values()
  const worker = async () => {
    for (const [index, reported] of waiting) {
      const details = await detailsOf(reading, reported, budget)
      const whole = details === undefined ? undefined : mergeEntryDetails(reported, details)
      if (whole !== undefined) {
        result[index] = { reported: whole, listed: reported, enriched: true }
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
  { bank, account, accounts, caller, withTokens, withQuota }: EntryReader,
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
  const requested = withQuota('details', () => withTokens(ask))
  try {
    const reported = await withTimeout(requested, left)
    // Timers may fire a moment early: who was not answered in time is not asked again.
    budget.isOver ||= reported === undefined
    return reported
  } catch (error) {
    recordFailure(budget, error)
    return undefined
  }
}

function millisecondsLeft(budget: Budget): number {
  budget.endsAt ??= monotonicMilliseconds() + budget.limits.millisecondsMax
  return budget.endsAt - monotonicMilliseconds()
}

/** Undefined when no answer came in time. */
async function withTimeout<Result>(requested: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
  const answered = new AbortController()
  const late = setTimeout(milliseconds, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    return await Promise.race([requested, late])
  } finally {
    answered.abort()
  }
}

/** An entry that the bank does not know by itself says nothing of the others; a bank that forbids one forbids all. */
function recordFailure(budget: Budget, error: unknown): void {
  if (!(error instanceof BankError) && !(error instanceof ApiError)) {
    throw error
  }
  if (!isResourceGone(error)) {
    budget.failures += 1
    const mayComeBack = isBankError(error, 'unavailable')
    budget.isOver ||= !mayComeBack || budget.failures >= budget.limits.failuresMax
  }
}
