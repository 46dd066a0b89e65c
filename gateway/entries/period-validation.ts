/** Validates the period of an entry query: existing days in order, within the bank's maximum range. */

import { bankOf } from '../accounts/require-consent-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import { parseDay } from '../platform/time-format.ts'

/** As in the query. */
export type PeriodQuery = { readonly fromDate: string; readonly toDate: string }

/** All validation errors. A range of exactly one year includes the same day of both years. */
export async function validatePeriod(
  context: Context,
  caller: ConsentCaller,
  { fromDate, toDate }: PeriodQuery,
  isSound: (path: string) => boolean,
): Promise<readonly ValidationError[]> {
  const fields = [
    ['.fromDate', fromDate],
    ['.toDate', toDate],
  ] as const
  const invalidPaths = fields
    .filter(([path, text]) => isSound(path) && parseDay(text) === undefined)
    .map(([path]) => path)
  const [from, to] = fields.map(([path, text]) => (isSound(path) ? parseDay(text) : undefined))
  if (from === undefined || to === undefined) {
    return invalidPaths.map((path) => invalidField(path, 'must be an existing day, YYYY-MM-DD'))
  }
  if (Temporal.PlainDate.compare(from, to) > 0) {
    return [invalidField('.fromDate', 'must not be after toDate')]
  }
  const { name, profile } = await bankOf(context, caller)
  const { aisMaxDateRangeMonths: months } = profile.constraints
  return Temporal.PlainDate.compare(from.add({ months }), to) < 0
    ? [invalidField('.toDate', `must be at most ${months} months after fromDate, the longest period of ${name}`)]
    : []
}

function invalidField(path: string, reason: string): ValidationError {
  return { code: 'InvalidRequest', reason, path }
}
