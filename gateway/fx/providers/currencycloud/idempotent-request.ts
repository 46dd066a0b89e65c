/** Resolves the outcome of repeated requests, and rejects responses with unusable values. */
import { FxProviderError } from '../fx-provider-error.ts'
import { type Effect, errorOfUnreadableResponse } from './errors.ts'

const OK = 200

/** After a failed attempt, returns what exists with the request id; rethrows the error if nothing does. */
export async function findMadeBefore<Made>(error: unknown, find: () => Promise<Made | null>): Promise<Made> {
  if (!(error instanceof FxProviderError) || failedBeforeProcessing(error) || error.kind === 'outcome-unknown') {
    throw error
  }
  const made = await find()
  if (made === null) {
    throw error
  }
  return made
}

/** Whether the request failed before the provider processed it. */
export function failedBeforeProcessing({ kind }: FxProviderError): boolean {
  return kind === 'unavailable' || kind === 'rate-limited' || kind === 'login-rejected'
}

/** Returns the parsed value. Throws if the response had the right shape, but an invalid amount or time. */
export function requireReadable<Value>(value: Value | undefined, effect: Effect = 'reads'): Value {
  if (value === undefined) {
    throw errorOfUnreadableResponse(effect, OK)
  }
  return value
}

/** The detail of an error, for a new one of another kind. */
export function errorDetailOf({ validationErrors, code, status }: FxProviderError) {
  return { validationErrors, ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}
