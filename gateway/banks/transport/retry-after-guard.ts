/** Remembers until when a bank requests no calls about a resource, and until when none at all. */
import { readRetryAfter } from '../../platform/http/retry-after.ts'
import { setMostRecent } from '../../platform/set-most-recent.ts'
import type { LaterCalls } from '../connector/bank-error.ts'
import type { BankResponse } from '../connector/connector-dependencies.ts'

export type RetryAfterGuard = {
  /** What the bank has requested of calls; undefined where it may be called now. */
  waitOf(resource: string): LaterCalls | undefined
  record(resource: string, response: BankResponse): void
}

const ERROR_STATUS_MIN = 400
const TOO_MANY_REQUESTS = 429
/** So many resources in a row for which calls are limited show that all calls are. */
const LIMITED_RESOURCES = 3
/** A limit of all calls is tried again after at most an hour; that of one resource holds for as long as the bank says. */
const BANK_SECONDS_MAX = 3_600
/** Remembered; the longest remembered one is forgotten first. */
const RESOURCES_MAX = 10_000

type Wait = { readonly until: number; readonly isRateLimit: boolean }

export function createRetryAfterGuard(now: () => number): RetryAfterGuard {
  const waits = new Map<string, Wait>()
  const limited = new Set<string>()
  let bankUntil = Number.NEGATIVE_INFINITY
  return {
    waitOf: (resource) => {
      const own = waits.get(resource)
      const until = Math.max(own?.until ?? bankUntil, bankUntil)
      return until > now()
        ? {
            retryAfterSeconds: Math.ceil((until - now()) / 1_000),
            isRateLimit: bankUntil > now() || own?.isRateLimit === true,
          }
        : undefined
    },
    record: (resource, { status, headers }) => {
      const isRateLimit = status === TOO_MANY_REQUESTS
      const seconds = status < ERROR_STATUS_MIN ? null : readRetryAfter(headers).seconds
      waits.delete(resource)
      if (seconds !== null && seconds > 0) {
        setMostRecent(waits, [resource, { until: now() + seconds * 1_000, isRateLimit }], RESOURCES_MAX)
      }
      if (!isRateLimit) {
        limited.clear()
        bankUntil = Number.NEGATIVE_INFINITY
      } else if (limited.add(resource).size >= LIMITED_RESOURCES) {
        bankUntil = Math.max(bankUntil, now() + Math.min(seconds ?? 0, BANK_SECONDS_MAX) * 1_000)
      }
    },
  }
}
