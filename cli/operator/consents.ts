/** `havn consent`: lists consents that expire soon, so that partners can be reminded. */

import type { Command } from 'commander'
import { listExpiringConsents } from '../../gateway/consents/expiry/list-expiring-consents.ts'
import { cellOr, type Table } from './print-table.ts'
import { type Given, tableCommand } from './run-operator-command.ts'

/** The consents of all partners that expire within seven days of business time. */
async function expiringConsentTable({ context }: Given): Promise<Table> {
  const rows = (await listExpiringConsents(context)).map((consent) => ({
    'valid until': consent.validUntil.toString(),
    partner: consent.partnerName,
    bank: consent.bic,
    company: `${consent.countryCode} ${consent.organisationNumber}`,
    user: cellOr(consent.userIdMasked, ''),
    renewed: { value: consent.isRenewed, shown: consent.isRenewed ? 'yes' : 'no' },
    consent: consent.id,
  }))
  return { rows, whenEmpty: 'No consent expires within seven days.' }
}

export function addConsentCommands(group: Command): void {
  const description = 'print the consents of all partners that expire within seven days'
  tableCommand(group.command('expiring').description(description), expiringConsentTable)
}
