/** `havn consent`: which consents end soon, so that partners can be reminded. */
import { showExpiring } from '../../gateway/consents/show-expiring.ts'
import { readClock } from '../../gateway/platform/database/business-clock-store.ts'
import type { Surroundings } from './operator-context.ts'
import { tableOf } from './print-table.ts'

/** Prints the consents of all partners that end within seven days, by the business time that all programs share. */
export async function printExpiringConsents({ database, clock }: Surroundings): Promise<void> {
  await readClock(database, clock)
  const consents = await showExpiring({ database, clock })
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
  console.log(tableOf(headings, rows, 'No consent ends within seven days.'))
}
