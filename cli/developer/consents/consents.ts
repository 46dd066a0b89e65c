/** `havn consent`: lists the consents of the partner, and creates one. */

import type { Command } from 'commander'
import { tableOf } from '../../operator/print-table.ts'
import { developerCommand, simulateOption } from '../command-options.ts'
import type { Context } from '../context.ts'
import { acceptedConsents, matchingConsents } from './choose-consent.ts'
import type { ConsentCreation } from './create-consent.ts'

export type ListedConsents = { readonly company?: string; readonly bank?: string; readonly all?: boolean }

export async function listConsentsCommand(
  { connect, output }: Context,
  { all, ...options }: ListedConsents,
): Promise<void> {
  const find = all === true ? matchingConsents : acceptedConsents
  const consents = await find(await connect(), options)
  const rows = consents.map((consent) => ({
    consent: consent.id,
    status: consent.status,
    bank: consent.bic,
    company: consent.organizationNumber,
    user: consent.userIdMasked ?? '',
    'valid until': consent.validUntil.slice(0, 10),
  }))
  const whenEmpty = `There are no ${all === true ? '' : 'accepted '}consents.\nNext: havn consent create`
  output.result(consents, tableOf({ rows, whenEmpty }))
}

export function addConsentCommands(group: Command): void {
  declareCreate(group)
  developerCommand(group.command('list'), listConsentsCommand, ['havn consent list --all --json'])
    .description('print the accepted consents of the partner')
    .option('--all', 'also those that are not accepted')
    .option('--bank <bic>', 'only those at this bank')
    .option('--company <number>', 'only those of this company')
}

function declareCreate(group: Command): void {
  developerCommand(
    group.command('create'),
    async (context, options: ConsentCreation) => {
      // It loads the rules of countries, and what they need: lists are printed in less time.
      const { createConsentCommand } = await import('./create-consent.ts')
      await createConsentCommand(context, options)
    },
    [
      'havn consent create --bank FJORNO22',
      ['havn consent create --bank FJORNO22 --simulate sign', 'in a sandbox, without a browser'],
    ],
  )
    .description('start a consent at a bank, and print the link for its user')
    .option('--bank <bic>', 'the bank; asked for on a terminal')
    .option('--company <number>', 'the organisation number of the company')
    .option('--user <id>', "the user's id at the bank; in a sandbox, by default one that the bank knows")
    .option('--callback-url <url>', 'where the user returns to')
    .option('--follow', 'wait until the user has decided')
    .addOption(simulateOption())
}
