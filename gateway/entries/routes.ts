/** Serves the operations on account entries. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { DayRange } from '../banks/connector/bank-account.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import type { Consent, ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { parseDay } from '../platform/clock.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import type { Parsing, Serve } from '../platform/http/operations/served-operation.ts'
import { getEntryDetails } from './get-entry-details.ts'
import { entryStreamLimiter } from './limit-entry-streams.ts'
import { entryJson, writeEntries } from './write-entries.ts'

export function serveEntries(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  const limit = entryStreamLimiter()
  const lists = [
    { operation: operations.listAccountEntries, extended: false },
    { operation: operations.listExtendedAccountEntries, extended: true },
  ] as const
  for (const { operation, extended } of lists) {
    serve(operation, {
      rules: ({ caller, query }, isSound) => parsePeriod(context, caller, query, isSound),
      stream: ({ caller, params, parsed: days }, mediaType) =>
        limit(caller.partnerId, writeEntries(context, caller, { ...params, days, extended }, mediaType)),
    })
  }
  serve(operations.getAccountEntryDetails, {
    // Its amounts are written digit by digit, which `JSON.stringify` would not do.
    stream: async function* ({ caller, params }) {
      yield entryJson(await getEntryDetails(context, caller, params))
    },
  })
}

/** All errors of the period: existing days in order, within the bank's maximum. A year includes the same day of both years. */
async function parsePeriod(
  context: Context,
  caller: ConsentCaller,
  query: { readonly fromDate: string; readonly toDate: string },
  isSound: (path: string) => boolean,
): Promise<Parsing<DayRange>> {
  const error = (path: string, reason: string): ValidationError => ({ code: 'InvalidRequest', reason, path })
  const dayOf = (name: keyof typeof query) => (isSound(`.${name}`) ? parseDay(query[name]) : undefined)
  const [from, to] = [dayOf('fromDate'), dayOf('toDate')]
  if (from === undefined || to === undefined) {
    return (['fromDate', 'toDate'] as const)
      .filter((name) => isSound(`.${name}`) && dayOf(name) === undefined)
      .map((name) => error(`.${name}`, 'must be an existing day, YYYY-MM-DD'))
  }
  if (Temporal.PlainDate.compare(from, to) > 0) {
    return [error('.fromDate', 'must not be after toDate')]
  }
  const { name, profile } = await requireBank(context.banks, caller.consent.bic)
  const { aisMaxDateRangeMonths: months } = profile.constraints
  return Temporal.PlainDate.compare(from.add({ months }), to) < 0
    ? [error('.toDate', `must be at most ${months} months after fromDate, the longest period of ${name}`)]
    : { parsed: { from, to } }
}
