/** Serves the operations on account entries. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Consent } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { readingBound } from './bounded-readings.ts'
import { type PeriodAsked, periodProblems } from './period-validation.ts'
import { readDetails } from './read-details.ts'
import { writeEntries } from './write-entries.ts'
import { entryJson } from './write-json.ts'

export function serveEntries(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  const bound = readingBound()
  serve(operations.listAccountEntries, {
    rules: ({ caller, query }, isSound) => periodProblems(context, caller, query, isSound),
    stream: ({ caller, params, query }, mediaType) =>
      bound(
        caller.partnerId,
        writeEntries(context, caller, { ...params, days: daysOf(query), extended: false }, mediaType),
      ),
  })
  serve(operations.listExtendedAccountEntries, {
    rules: ({ caller, query }, isSound) => periodProblems(context, caller, query, isSound),
    stream: ({ caller, params, query }, mediaType) =>
      bound(
        caller.partnerId,
        writeEntries(context, caller, { ...params, days: daysOf(query), extended: true }, mediaType),
      ),
  })
  serve(operations.getAccountEntryDetails, {
    // Its amounts are written digit by digit too, which `JSON.stringify` would not do.
    stream: async function* ({ caller, params }) {
      yield entryJson(await readDetails(context, caller, params))
    },
  })
}

/** The rules have seen that these are days. */
function daysOf({ fromDate, toDate }: PeriodAsked) {
  return { from: Temporal.PlainDate.from(fromDate), to: Temporal.PlainDate.from(toDate) }
}
