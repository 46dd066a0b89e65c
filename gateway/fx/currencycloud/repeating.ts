/** What holds for everything that may be asked for again: when a refusal is believed, and what an answer is worth. */

import { type Effect, refusalOfUnreadable } from '../providers/currencycloud/errors.ts'
import { FxRefusal } from '../providers/fx-provider-error.ts'

const OK = 200

/** What was made under an id of ours, after an attempt that was refused; the refusal when nothing was. */
export async function madeBefore<Made>(error: unknown, find: () => Promise<Made | null>): Promise<Made> {
  if (!(error instanceof FxRefusal) || isBeforehand(error) || error.kind === 'outcome-unknown') {
    throw error
  }
  const made = await find()
  if (made === null) {
    throw error
  }
  return made
}

/** Refused before the provider looked at what was asked. */
export function isBeforehand({ kind }: FxRefusal): boolean {
  return kind === 'unavailable' || kind === 'rate-limited' || kind === 'login-refused'
}

/** What was read of an answer of the right shape, unless its amounts are none. */
export function readable<Value>(value: Value | undefined, effect: Effect = 'reads'): Value {
  if (value === undefined) {
    throw refusalOfUnreadable(effect, OK)
  }
  return value
}

/** What a refusal tells, for another of a more fitting kind. */
export function detailOf({ problems, code, status }: FxRefusal) {
  return { problems, ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}
