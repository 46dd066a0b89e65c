/** `havn consent`: lists consents that expire soon, so that partners can be reminded. */

import type { Command } from 'commander'
import { listExpiringConsents } from '../../gateway/consents/expiry/list-expiring-consents.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { printTable, type TableOptions } from './print-table.ts'
import { tableCommand } from './run-operator-command.ts'

/** Prints the consents of all partners that expire within seven days of business time. */
async function printExpiringConsents(context: ProgramContext, options: TableOptions): Promise<void> {
  const consents = await listExpiringConsents(context)
  const rows = consents.map((consent) => [
    consent.validUntil.toString(),
    consent.partnerName,
    consent.bic,
    `${consent.countryCode} ${consent.organisationNumber}`,
    { value: consent.userIdMasked, shown: consent.userIdMasked ?? '' },
    { value: consent.isRenewed, shown: consent.isRenewed ? 'yes' : 'no' },
    consent.id,
  ])
  const headings = ['valid until', 'partner', 'bank', 'company', 'user', 'renewed', 'consent']
  printTable({ headings, rows, whenEmpty: 'No consent expires within seven days.' }, options)
}

export function addConsentCommands(group: Command): void {
  tableCommand(
    group,
    'expiring',
    'print the consents of all partners that expire within seven days',
    printExpiringConsents,
  )
}
