/** Enforces the daily quota of account reads without the user, which is the same at all banks. */

import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { Context } from '../../context.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { type ApiError, apiError } from '../../platform/http/errors/api-error.ts'
import type { PsuSession } from '../../platform/http/operations/served-operation.ts'
import type { Consent } from '../consent.ts'
import {
  countUnattendedReadsOn,
  recordReadQuotaExhausted,
  releaseUnattendedRead,
  reserveUnattendedRead,
  type UnattendedReadKey,
  type UnattendedReadKind,
} from './unattended-read-store.ts'

/** A read at a bank that may count against the quota. */
export type AccountRead = {
  readonly bank: Bank
  readonly consent: Pick<Consent, 'partnerId' | 'id'>
  /** Null when the user is not present; only then the read counts. */
  readonly psu: PsuSession | null
  readonly kind: UnattendedReadKind
  /** The account; absent for the list of accounts. */
  readonly stableId?: string
}

/** Retry delay where the bank gives none. */
const ATTENDED_AGAIN_SECONDS = 3600

/** The share of a day's reads that our jobs leave to the partner, except for the first job of the day. */
const PARTNER_READ_SHARE = 0.5

/**
 * Counts a read without the user, before the bank is called. Throws `too-many-requests` until the bank's next day when
 * the quota is used up.
 */
export async function countUnattendedRead(
  context: Context,
  read: AccountRead,
  day: Temporal.PlainDate = today(context, read),
): Promise<void> {
  if (read.psu === null) {
    const readsMax = await partnerReadsMax(context, read, day)
    if (!(await reserveUnattendedRead(context.database, keyOf(read), { day, readsMax }))) {
      throw tooManyReads(context, read, day)
    }
  }
}

/**
 * Counts a read and calls the bank. If the bank reports an exhausted quota, that is recorded for the rest of its day.
 */
export async function withReadQuota<Result>(
  context: Context,
  read: AccountRead,
  work: () => Promise<Result>,
): Promise<Result> {
  // A request sent before the bank's midnight counts for that day, even if the response arrives after it.
  const day = today(context, read)
  await countUnattendedRead(context, read, day)
  try {
    return await work()
  } catch (error) {
    throw await readQuotaErrorOf(context, read, error, day)
  }
}

/**
 * Counts a read that must not be postponed, whatever the quota, and calls the bank; null when the bank reports an
 * exhausted quota.
 */
export async function withReadQuotaRecorded<Result>(
  context: Context,
  read: Omit<AccountRead, 'psu'>,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const { config, database } = context
  const day = today(context, read)
  const isCounted = await reserveUnattendedRead(database, keyOf(read), { day, readsMax: config.unattendedReadsPerDay })
  try {
    return await work()
  } catch (error) {
    if (isBankError(error, 'too-many-reads')) {
      await recordReadQuotaExhausted(database, keyOf(read), { day, reads: config.unattendedReadsPerDay })
      return null
    }
    if (isBankError(error, 'unavailable') && isCounted) {
      await releaseUnattendedRead(database, keyOf(read), day)
    }
    throw error
  }
}

/**
 * The error for a failed read: an exhausted quota is the same 429, whether we or the bank counted. A read that did not
 * reach the bank is released.
 */
export async function readQuotaErrorOf(
  context: Context,
  read: AccountRead,
  error: unknown,
  day: Temporal.PlainDate = today(context, read),
): Promise<unknown> {
  if (!(error instanceof BankError)) {
    return error
  }
  if (read.psu !== null) {
    return isBankError(error, 'too-many-reads') ? tooManyAttended(read, error) : error
  }
  if (isBankError(error, 'unavailable')) {
    await releaseUnattendedRead(context.database, keyOf(read), day)
  }
  if (!isBankError(error, 'too-many-reads')) {
    return error
  }
  const { retryAfterSeconds } = error.laterCalls
  if (retryAfterSeconds !== null && retryAfterSeconds < secondsUntil(context, startOfNextDay(read, day))) {
    const message = `${read.bank.name} limits how often it is called (${textByKind[read.kind]}). Read again after Retry-After`
    return apiError('too-many-requests', message, { retryAfterSeconds: Math.max(1, retryAfterSeconds) })
  }
  await recordReadQuotaExhausted(context.database, keyOf(read), { day, reads: context.config.unattendedReadsPerDay })
  return tooManyReads(context, read, day)
}

/** Whether a job has a read left; counts nothing. */
export async function hasJobReadQuota(context: Context, read: Omit<AccountRead, 'psu'>): Promise<boolean> {
  const day = today(context, read)
  return (await countUnattendedReadsOn(context.database, keyOf(read), day)) < (await jobReadsMax(context, read, day))
}

/** Counts a read by a job; false when the quota for jobs is used up. */
export async function reserveJobRead(context: Context, read: Omit<AccountRead, 'psu'>): Promise<boolean> {
  const { config, database } = context
  const day = today(context, read)
  const isReserved = await reserveUnattendedRead(database, keyOf(read), {
    day,
    readsMax: await jobReadsMax(context, read, day),
  })
  return (
    isReserved &&
    (await reserveUnattendedRead(database, keyOfJobs(read), { day, readsMax: config.unattendedReadsPerDay }))
  )
}

/** The first job of a day may use all reads that are left; later ones leave the partner its share. */
async function jobReadsMax(context: Context, read: Omit<AccountRead, 'psu'>, day: Temporal.PlainDate): Promise<number> {
  const { unattendedReadsPerDay: most } = context.config
  const shared = jobShare(context)
  return shared > 0 && (await countUnattendedReadsOn(context.database, keyOfJobs(read), day)) === 0 ? most : shared
}

/**
 * One read is reserved for the day's first job where only the entries of an account show that payments were executed.
 */
async function partnerReadsMax(context: Context, read: AccountRead, day: Temporal.PlainDate): Promise<number> {
  const { unattendedReadsPerDay: most } = context.config
  const isReserved =
    isSharedWithJobs(read) &&
    jobShare(context) > 0 &&
    (await countUnattendedReadsOn(context.database, keyOfJobs(read), day)) === 0
  return isReserved ? most - 1 : most
}

function jobShare({ config: { unattendedReadsPerDay: most } }: Context): number {
  return most - Math.ceil(most * PARTNER_READ_SHARE)
}

function isSharedWithJobs({ bank, kind }: Pick<AccountRead, 'bank' | 'kind'>): boolean {
  return kind === 'entries' && bank.profile.lastVisible === 'accepted'
}

/** Separate, so that a partner's read never counts as a job's. */
function keyOfJobs(read: Omit<AccountRead, 'psu'>): UnattendedReadKey {
  return { ...keyOf(read), kind: `${read.kind} by jobs` }
}

function keyOf({ consent, kind, stableId = '' }: Omit<AccountRead, 'psu'>): UnattendedReadKey {
  return { partnerId: consent.partnerId, consentId: consent.id, kind, stableId }
}

function today({ clock }: Context, { bank }: Pick<AccountRead, 'bank'>): Temporal.PlainDate {
  return clock.today(bank.profile.timeZone)
}

function startOfNextDay({ bank }: Pick<AccountRead, 'bank'>, day: Temporal.PlainDate): Temporal.ZonedDateTime {
  return day.add({ days: 1 }).toZonedDateTime(bank.profile.timeZone)
}

function secondsUntil({ clock }: Context, time: Temporal.ZonedDateTime): number {
  return Math.ceil(time.toInstant().since(clock.now()).total('seconds'))
}

function tooManyReads(context: Context, { bank, kind }: AccountRead, day: Temporal.PlainDate): ApiError {
  const again = startOfNextDay({ bank }, day)
  const seconds = secondsUntil(context, again)
  const { unattendedReadsPerDay: most } = context.config
  const stored = isSharedWithJobs({ bank, kind }) ? 'One of them is reserved for polling payments. ' : ''
  const message =
    `${bank.name} allows ${most} such requests a day without the user (${textByKind[kind]}). The quota is ` +
    `used up until ${formatTimestamp(again.toInstant())}. ${stored}Send the PSU headers if the user is present`
  return apiError('too-many-requests', message, { retryAfterSeconds: Math.max(1, seconds) })
}

/** The partner cannot avoid this error: the PSU headers were sent. */
function tooManyAttended({ bank, kind }: AccountRead, rejection: BankError): ApiError {
  const { retryAfterSeconds } = rejection.laterCalls
  const message = `${bank.name} currently rejects further requests, although the user is present: ${textByKind[kind]}`
  return apiError('too-many-requests', message, { retryAfterSeconds: retryAfterSeconds ?? ATTENDED_AGAIN_SECONDS })
}

const textByKind: Readonly<Record<UnattendedReadKind, string>> = {
  accounts: 'the list of accounts of a consent',
  balance: 'the balance of an account',
  entries: 'the entries of an account',
  details: 'details of entries of an account',
}
