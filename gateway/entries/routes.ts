/** Serves the operations on account entries. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Consent } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { getEntryDetails } from './get-entry-details.ts'
import { entryStreamLimiter } from './limit-entry-streams.ts'
import { type PeriodQuery, validatePeriod } from './period-validation.ts'
import { entryJson, writeEntries } from './write-entries.ts'

export function serveEntries(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  const limit = entryStreamLimiter()
  serve(operations.listAccountEntries, {
    rules: ({ caller, query }, isSound) => validatePeriod(context, caller, query, isSound),
    stream: ({ caller, params, query }, mediaType) =>
      limit(
        caller.partnerId,
        writeEntries(context, caller, { ...params, days: daysOf(query), extended: false }, mediaType),
      ),
  })
  serve(operations.listExtendedAccountEntries, {
    rules: ({ caller, query }, isSound) => validatePeriod(context, caller, query, isSound),
    stream: ({ caller, params, query }, mediaType) =>
      limit(
        caller.partnerId,
        writeEntries(context, caller, { ...params, days: daysOf(query), extended: true }, mediaType),
      ),
  })
  serve(operations.getAccountEntryDetails, {
    // Its amounts are written digit by digit, which `JSON.stringify` would not do.
    stream: async function* ({ caller, params }) {
      yield entryJson(await getEntryDetails(context, caller, params))
    },
  })
}

/** The validation has checked that these are days. */
function daysOf({ fromDate, toDate }: PeriodQuery) {
  return { from: Temporal.PlainDate.from(fromDate), to: Temporal.PlainDate.from(toDate) }
}
