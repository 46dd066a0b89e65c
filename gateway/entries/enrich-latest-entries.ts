/** Enriches the latest entries of an account with the bank's details, as far as it responds in time. */
import { setTimeout } from 'node:timers/promises'
import type { BankEntry } from '../banks/connector/bank-account.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { isBankError, isResourceGone } from '../banks/connector/bank-error-classification.ts'
import { monotonicMilliseconds } from '../platform/clock.ts'
import { ApiError } from '../platform/http/errors/api-error.ts'
import type { EnrichedEntry } from './entry.ts'
import type { EntryReader } from './open-entry-reader.ts'

/** The maximum cost of one list for its bank, and for its caller. */
export const ENRICHMENT_LIMITS = {
  /** The number of entries for which details are requested. */
  callsMax: 100,
  /** Of these at the same time. */
  atOnce: 4,
  /** From the first of them on; those that the bank has not reported by then are left as they are. */
  millisecondsMax: 15_000,
  /** Requests without a response; after so many, the bank is not called any more. */
  failuresMax: 3,
} as const

/** Days in which the order of an account's entries must show; until then this many are held. */
const UNORDERED_MAX = 1_000

type Limits = { readonly [name in keyof typeof ENRICHMENT_LIMITS]: number }
type Budget = { readonly limits: Limits; calls: number; failures: number; endsAt: number | null; isOver: boolean }

/**
 * The same entries in the same order. Where the latest come first they are enriched as they arrive; elsewhere as many
 * as may be enriched are buffered, because the last ones are known only at the end.
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

/** Undefined where the bank reports none, or where its limit is exhausted. */
async function detailsOf(
  { bank, account, accounts, request, withQuota }: EntryReader,
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
  const ask = () => request((caller) => entryDetails(caller, account.resourceId, transactionId))
  const requested = withQuota('details', ask)
  try {
    const reported = await withTimeout(requested, left)
    // Timers may fire a moment early: an entry that timed out is not requested again.
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

/** Undefined when no response arrived in time. */
async function withTimeout<Result>(requested: Promise<Result>, milliseconds: number): Promise<Result | undefined> {
  const answered = new AbortController()
  const late = setTimeout(milliseconds, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    return await Promise.race([requested, late])
  } finally {
    answered.abort()
  }
}

/** An entry without details at the bank implies nothing for the others; a bank that forbids one forbids all. */
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

/**
 * Fields missing from the details come from the list; ids, status and amount are always the list's. Undefined where the
 * details are of another entry.
 */
function mergeEntryDetails(listed: BankEntry, details: BankEntry): BankEntry | undefined {
  const { transactionId, status, lastingId, amount } = listed
  if (!isSameEntry(listed, details)) {
    return undefined
  }
  const reported = Object.fromEntries(Object.entries(details).filter(([, value]) => isPresent(value)))
  const own = {
    name: details.own.name ?? listed.own.name,
    bban: details.own.bban ?? listed.own.bban,
    iban: details.own.iban ?? listed.own.iban,
  }
  return { ...listed, ...reported, own, transactionId, status, lastingId, amount }
}

/** A bank may return the details of another entry: they must not be merged. */
function isSameEntry({ amount, transactionId, entryReference }: BankEntry, details: BankEntry): boolean {
  const isSameAmount = details.amount.minor === amount.minor && details.amount.currency === amount.currency
  // Where the list gives no id, details are requested by reference, and may contain an id.
  const isSameId = details.transactionId === null || idsOf(details).includes(transactionId)
  const isSameReference = [null, entryReference].includes(details.entryReference) || entryReference === null
  return isSameAmount && isSameId && isSameReference
}

function idsOf({ transactionId, entryReference }: BankEntry): readonly (string | null)[] {
  return [transactionId, entryReference]
}

function isPresent(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0)
}
