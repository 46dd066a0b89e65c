/** Limits calls to a provider to its rate limits per minute, in the database: the provider counts those of all processes together. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { wallMilliseconds } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { FxProviderError } from './fx-provider-error.ts'

/** A user waits for an `urgent` call; `patient` calls of jobs have a share of the limit that urgent ones cannot use. */
export type CallPriority = 'urgent' | 'patient'

/** A rate limit of the provider. */
export type CallLimit = { readonly name: string; readonly perMinute: number }

export type CallRateLimiter = {
  /** Resolves when the call may be made; throws `rate-limited` if the wait would be too long. */
  acquire(limits: readonly CallLimit[], urgency: CallPriority): Promise<void>
  /** Stops these calls for a while, after the provider has rejected one. */
  pause(limits: readonly CallLimit[], seconds: number): Promise<void>
}

/** When the next call is due at an even pace, in milliseconds: the only stored state of a share. */
export type Due = number

/** A share of a limit from which a call may acquire its permit; times in milliseconds. */
export type RateLimitShare = {
  /** The key of the stored due time. */
  readonly name: string
  /** The interval of calls at an even pace. */
  readonly interval: number
  /** How much earlier than due a call may be made. */
  readonly leeway: number
  /** Calls that would wait longer are rejected. */
  readonly waitMax: number
}

const MINUTE_MILLISECONDS = 60_000
/** Share of each limit reserved for jobs, so that user requests cannot starve them. */
const PATIENT_SHARE = 0.3
/** A fifth of a share may be used as a burst and the rest evenly, so that no 60 seconds exceed the share. */
const BURST_SHARE = 0.2
/** Jobs may also use the users' share, but only half of its burst. */
const LENT_LEEWAY = 0.5
/** A partner's request may wait for seconds; a job is rescheduled instead of blocking its worker. */
const WAIT_MILLISECONDS_MAX: Readonly<Record<CallPriority, number>> = { urgent: 5_000, patient: 1_000 }

/** The shares from which a call may acquire its permit, in order of preference. */
export function rateLimitSharesOf(limit: CallLimit, urgency: CallPriority): readonly RateLimitShare[] {
  const waitMax = WAIT_MILLISECONDS_MAX[urgency]
  const { urgent, patient } = splitLimit(limit)
  const urgentShare = { name: limit.name, waitMax, ...paceOf(urgent) }
  if (urgency === 'urgent') {
    return [urgentShare]
  } else {
    const lent = { ...urgentShare, leeway: urgentShare.leeway * LENT_LEEWAY }
    return patient === 0 ? [lent] : [{ name: `${limit.name}/patient`, waitMax, ...paceOf(patient) }, lent]
  }
}

/** The minimum due times of all shares of a limit when no call may begin before a moment. */
export function shareDuesAtPause(limit: CallLimit, milliseconds: number): readonly { name: string; due: Due }[] {
  const shares = [...rateLimitSharesOf(limit, 'urgent'), ...rateLimitSharesOf(limit, 'patient')]
  return shares.map(({ name, leeway }) => ({ name, due: milliseconds + leeway }))
}

/** Splits the calls per minute between the priorities. */
function splitLimit({ perMinute }: CallLimit): Readonly<Record<CallPriority, number>> {
  const patient = Math.min(perMinute - 1, Math.max(1, Math.floor(perMinute * PATIENT_SHARE)))
  return { urgent: perMinute - patient, patient }
}

function paceOf(perMinute: number): { readonly interval: number; readonly leeway: number } {
  const burst = Math.max(1, Math.floor(perMinute * BURST_SHARE))
  const interval = MINUTE_MILLISECONDS / Math.max(1, perMinute - burst)
  return { interval, leeway: (burst - 1) * interval }
}

/** The error of a call that would have to wait too long. */
export function rateLimitedError(waitMilliseconds: number): FxProviderError {
  const retryAfterSeconds = Math.max(1, Math.ceil(Math.round(waitMilliseconds) / 1000))
  return new FxProviderError('rate-limited', "The provider's rate limit is used up", {
    retryAfterSeconds,
  })
}

/** For one provider. If the second of two limits rejects a call, the permit of the first one stays used. */
export function openSharedCallRateLimiter(
  database: Queryable,
  provider: string,
  {
    now = wallMilliseconds,
    wait = sleep,
  }: { readonly now?: () => number; readonly wait?: (milliseconds: number) => Promise<unknown> } = {},
): CallRateLimiter {
  const withProviderPrefix = <Named extends { readonly name: string }>(share: Named) => ({
    ...share,
    name: `${provider}/${share.name}`,
  })
  return {
    acquire: async (limits, urgency) => {
      let waits = 0
      for (const limit of limits) {
        waits = Math.max(
          waits,
          await waitFor(database, rateLimitSharesOf(limit, urgency).map(withProviderPrefix), now()),
        )
      }
      // No database connection is held while waiting.
      if (waits > 0) {
        await wait(waits)
      }
    },
    pause: async (limits, seconds) => {
      const until = now() + seconds * 1000
      for (const { name, due } of limits.flatMap((limit) => shareDuesAtPause(limit, until)).map(withProviderPrefix)) {
        await postponeCallPermits(database, name, due)
      }
    },
  }
}

/** Acquires the first permit with a short enough wait, and returns the wait. Throws `rate-limited` if there is none. */
async function waitFor(database: Queryable, shares: readonly RateLimitShare[], now: number): Promise<number> {
  const waits: number[] = []
  for (const share of shares) {
    const due = await acquireCallPermit(database, { ...share, now })
    if (due !== undefined) {
      return due - share.interval - share.leeway - now
    }
    waits.push(((await findCallPermitDue(database, share.name)) ?? now) - share.leeway - now)
  }
  throw rateLimitedError(Math.min(...waits))
}

type Tables = { fx_call_rate_limits: { name: string; due_milliseconds: number } }

/** A share of a limit, and the time of the request in milliseconds since 1970. */
type CallPermitRequest = RateLimitShare & { readonly now: number }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Acquires a permit: returns the new due time of the share, or undefined when the wait would be too long. */
async function acquireCallPermit(
  database: Queryable,
  { name, now, interval, leeway, waitMax }: CallPermitRequest,
): Promise<number | undefined> {
  const begins = sql<number>`greatest(${now}::float8, fx_call_rate_limits.due_milliseconds - ${leeway}::float8)`
  const row = await tables(database)
    .insertInto('fx_call_rate_limits')
    .values({ name, due_milliseconds: now + interval })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({
          due_milliseconds: sql<number>`greatest(fx_call_rate_limits.due_milliseconds, ${begins}) + ${interval}::float8`,
        })
        .where(begins, '<=', now + waitMax),
    )
    .returning('due_milliseconds')
    .executeTakeFirst()
  return row?.due_milliseconds
}

/** The due time of a share; undefined before its first permit. */
async function findCallPermitDue(database: Queryable, name: string): Promise<number | undefined> {
  const row = await tables(database)
    .selectFrom('fx_call_rate_limits')
    .select('due_milliseconds')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.due_milliseconds
}

/** Allows no permit before `due`; never moves it to an earlier time. */
async function postponeCallPermits(database: Queryable, name: string, due: number): Promise<void> {
  await tables(database)
    .insertInto('fx_call_rate_limits')
    .values({ name, due_milliseconds: due })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        due_milliseconds: sql<number>`greatest(fx_call_rate_limits.due_milliseconds, ${due}::float8)`,
      }),
    )
    .execute()
}
