/** `havn consent`: lists consents that expire soon, so that partners can be reminded. */
import { listExpiringConsents } from '../../gateway/consents/list-expiring-consents.ts'
import { readClock } from '../../gateway/platform/database/business-clock-store.ts'
import type { OperatorContext } from './operator-context.ts'
import { tableOf } from './print-table.ts'

/** Prints the consents of all partners that expire within seven days of business time. */
export async function printExpiringConsents({ database, clock }: OperatorContext): Promise<void> {
  await readClock(database, clock)
  const consents = await listExpiringConsents({ database, clock })
  const rows = consents.map((consent) => [
    consent.validUntil.toString(),
    consent.partnerName,
    consent.bic,
    `${consent.countryCode} ${consent.organisationNumber}`,
    consent.userIdMasked ?? '',
    consent.isRenewed ? 'yes' : 'no',
    consent.id,
  ])
  const headings = ['valid until', 'partner', 'bank', 'company', 'user', 'renewed', 'consent']
  console.log(tableOf(headings, rows, 'No consent expires within seven days.'))
}
