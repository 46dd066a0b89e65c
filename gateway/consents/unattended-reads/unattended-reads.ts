/** Counts reads of accounts without their user, of which banks answer a few a day, and refuses those that would be too many. */

import { BankRefusal, TooManyReads } from '../../banks/connector/bank-error.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Context } from '../../context.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { type Refusal, refuse } from '../../platform/http/errors/api-error.ts'
import type { PsuSession } from '../../platform/http/operations/psu-session.ts'
import type { Consent } from '../consent.ts'
import { giveReadBack, noteUsedUp, type ReadKey, type ReadKind, readsOn, takeRead } from './unattended-read-store.ts'

/** A reading at a bank that may have to be counted. */
export type AccountRead = {
  readonly bank: Bank
  readonly consent: Pick<Consent, 'partnerId' | 'id'>
  /** Null when the user is not there; only then a reading counts. */
  readonly psu: PsuSession | null
  readonly kind: ReadKind
  /** Of the account; left out for the list of them. */
  readonly stableId?: string
}

/** When to ask again a bank that does not say when. */
const ATTENDED_AGAIN_SECONDS = 3600

/** Of a day's readings, those that jobs of ours leave to the partner, but for the first job of the day. */
const LEFT_TO_PARTNERS_SHARE = 0.5

/**
 * Counts a reading without the user, before the bank is asked. Throws `too-many-requests` until the bank's next day
 * when the day has seen all that may be.
 */
export async function countUnattendedRead(
  context: Context,
  read: AccountRead,
  day: Temporal.PlainDate = today(context, read),
): Promise<void> {
  if (read.psu === null) {
    const readsMax = await partnerReadsMax(context, read, day)
    if (!(await takeRead(context.database, keyOf(read), { day, readsMax }))) {
      throw tooManyReads(context, read, day)
    }
  }
}

/** Counts a reading and has the bank asked. A bank that has counted more than we have is believed for the rest of its day. */
export async function countingRead<Result>(
  context: Context,
  read: AccountRead,
  work: () => Promise<Result>,
): Promise<Result> {
  // What is asked before the bank's midnight is of that day, though the bank answers after it.
  const day = today(context, read)
  await countUnattendedRead(context, read, day)
  try {
    return await work()
  } catch (error) {
    throw await refusedRead(context, read, error, day)
  }
}

/** Counts a reading that must not wait for another day, and has the bank asked; null when it answers no more of them. */
export async function countingOnly<Result>(
  context: Context,
  read: Omit<AccountRead, 'psu'>,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const { config, database } = context
  const day = today(context, read)
  const isCounted = await takeRead(database, keyOf(read), { day, readsMax: config.unattendedReadsPerDay })
  try {
    return await work()
  } catch (error) {
    const kind = error instanceof BankRefusal ? error.kind : null
    if (kind === 'too-many-reads') {
      await noteUsedUp(database, keyOf(read), { day, reads: config.unattendedReadsPerDay })
      return null
    }
    if (kind === 'unavailable' && isCounted) {
      await giveReadBack(database, keyOf(read), day)
    }
    throw error
  }
}

/**
 * What a partner is told when a reading counted on a day failed: too many of them is the same 429, whoever counted them.
 * One that the bank did not get is given back.
 */
export async function refusedRead(
  context: Context,
  read: AccountRead,
  error: unknown,
  day: Temporal.PlainDate = today(context, read),
): Promise<unknown> {
  if (!(error instanceof BankRefusal)) {
    return error
  }
  if (read.psu !== null) {
    return error.kind === 'too-many-reads' ? tooManyAttended(read, error) : error
  }
  if (error.kind === 'unavailable') {
    await giveReadBack(context.database, keyOf(read), day)
  }
  if (error.kind !== 'too-many-reads') {
    return error
  }
  await noteUsedUp(context.database, keyOf(read), { day, reads: context.config.unattendedReadsPerDay })
  return tooManyReads(context, read, day)
}

/** Whether a job of ours would find a reading left; nothing is counted. */
export async function isLeftToJobs(context: Context, read: Omit<AccountRead, 'psu'>): Promise<boolean> {
  const day = today(context, read)
  return (await readsOn(context.database, keyOf(read), day)) < (await jobReadsMax(context, read, day))
}

/** Counts a reading by a job of ours; false where the day has none left for it. */
export async function mayReadByJob(context: Context, read: Omit<AccountRead, 'psu'>): Promise<boolean> {
  const { config, database } = context
  const day = today(context, read)
  const isTaken = await takeRead(database, keyOf(read), { day, readsMax: await jobReadsMax(context, read, day) })
  return isTaken && (await takeRead(database, keyOfJobs(read), { day, readsMax: config.unattendedReadsPerDay }))
}

/** The first job of a day has what is left of it; those after it leave the partner its share. */
async function jobReadsMax(context: Context, read: Omit<AccountRead, 'psu'>, day: Temporal.PlainDate): Promise<number> {
  const { unattendedReadsPerDay: most } = context.config
  const shared = jobShare(context)
  return shared > 0 && (await readsOn(context.database, keyOfJobs(read), day)) === 0 ? most : shared
}

/** One reading waits for the day's first job where only the entries of an account show that payments were carried out. */
async function partnerReadsMax(context: Context, read: AccountRead, day: Temporal.PlainDate): Promise<number> {
  const { unattendedReadsPerDay: most } = context.config
  const isKept =
    isSharedWithJobs(read) && jobShare(context) > 0 && (await readsOn(context.database, keyOfJobs(read), day)) === 0
  return isKept ? most - 1 : most
}

function jobShare({ config: { unattendedReadsPerDay: most } }: Context): number {
  return most - Math.ceil(most * LEFT_TO_PARTNERS_SHARE)
}

function isSharedWithJobs({ bank, kind }: Pick<AccountRead, 'bank' | 'kind'>): boolean {
  return kind === 'entries' && bank.profile.lastVisible === 'accepted'
}

/** Jobs are counted once more apart, so that none of the partner's readings is taken for one of theirs. */
function keyOfJobs(read: Omit<AccountRead, 'psu'>): ReadKey {
  return { ...keyOf(read), kind: `${read.kind} by jobs` }
}

function keyOf({ consent, kind, stableId = '' }: Omit<AccountRead, 'psu'>): ReadKey {
  return { partnerId: consent.partnerId, consentId: consent.id, kind, stableId }
}

function today({ clock }: Context, { bank }: Pick<AccountRead, 'bank'>): Temporal.PlainDate {
  return clock.today(bank.profile.timeZone)
}

function tooManyReads(context: Context, { bank, kind }: AccountRead, day: Temporal.PlainDate): Refusal {
  const { timeZone } = bank.profile
  const again = day.add({ days: 1 }).toZonedDateTime(timeZone)
  const seconds = Math.ceil(again.toInstant().since(context.clock.now()).total('seconds'))
  const { unattendedReadsPerDay: most } = context.config
  const kept = isSharedWithJobs({ bank, kind }) ? 'One of them is kept for following payments. ' : ''
  const message =
    `${bank.name} answers no more than ${most} such requests a day without the user (${wordByKind[kind]}), and they are ` +
    `used up until ${printTimestamp(again.toInstant())}. ${kept}With the PSU headers of a user who is there, it answers now`
  return refuse('too-many-requests', message, { retryAfterSeconds: Math.max(1, seconds) })
}

/** Nothing that the partner could send lifts this one. */
function tooManyAttended({ bank, kind }: AccountRead, refusal: BankRefusal): Refusal {
  const told = refusal instanceof TooManyReads ? refusal.retryAfterSeconds : null
  const message = `${bank.name} answers no more of these now, though the user is there: ${wordByKind[kind]}`
  return refuse('too-many-requests', message, { retryAfterSeconds: told ?? ATTENDED_AGAIN_SECONDS })
}

const wordByKind: Readonly<Record<ReadKind, string>> = {
  accounts: 'the list of accounts of a consent',
  balance: 'the balance of an account',
  entries: 'the entries of an account',
  details: 'details of entries of an account',
}
