/** The rules on the days between which entries are asked for: real days, in order, and no more than the bank shows at once. */
import { bankOf } from '../accounts/require-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'

/** As they stand in the query. */
export type PeriodAsked = { readonly fromDate: string; readonly toDate: string }

/** Everything that is wrong with them. A range of a year has its first day once more at its end. */
export async function periodProblems(
  context: Pick<Context, 'banks'>,
  caller: ConsentCaller,
  { fromDate, toDate }: PeriodAsked,
  isSound: (path: string) => boolean,
): Promise<readonly Problem[]> {
  const asked = [
    ['.fromDate', fromDate],
    ['.toDate', toDate],
  ] as const
  const noDays = asked.filter(([path, text]) => isSound(path) && dayIn(text) === undefined).map(([path]) => path)
  const [from, to] = asked.map(([path, text]) => (isSound(path) ? dayIn(text) : undefined))
  if (from === undefined || to === undefined) {
    return noDays.map((path) => problem(path, 'is no day of the calendar'))
  }
  if (Temporal.PlainDate.compare(from, to) > 0) {
    return [problem('.fromDate', 'is after toDate')]
  }
  const { name, profile } = await bankOf(context, caller)
  const { aisMaxDateRangeMonths: months } = profile.constraints
  return Temporal.PlainDate.compare(from.add({ months }), to) < 0
    ? [problem('.toDate', `is more than ${months} months after fromDate, which is all that ${name} shows at once`)]
    : []
}

function dayIn(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

function problem(path: string, reason: string): Problem {
  return { code: 'InvalidRequest', reason, path }
}
