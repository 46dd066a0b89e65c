/** Limits calls to a provider to its rate limits per minute, so that it rejects none. */
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
