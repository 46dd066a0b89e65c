/** `havn bank`: the directory of banks. Its other commands load the banks' standards when they run. */
import type { Command } from 'commander'
import { listDirectoryEntries } from '../../gateway/banks/directory/bank-health.ts'
import type { ProbeOptions } from './bank-probe.ts'
import type { BankArguments } from './banks.ts'
import type { Table } from './print-table.ts'
import { type Given, operatorAction, tableCommand } from './run-operator-command.ts'

export function addBankCommands(group: Command): void {
  addDirectoryCommands(group)
  addProfileCommands(group)
  addProbeCommand(group)
}

function addDirectoryCommands(group: Command): void {
  tableCommand(group.command('list').description('print every bank and its recent availability'), bankTable)
  group
    .command('put')
    .description('add a bank to the directory, or update it; takes effect within five seconds')
    .argument('<bic>')
    .requiredOption('--name <name>', 'the name shown to users')
    .requiredOption('--country <code>', 'two letters, for example NO')
    .requiredOption('--profile <name>', 'a profile of data/bank-profiles or of HAVN_BANK_PROFILES_DIR')
    .requiredOption('--address <url>', "the base URL of the bank's API, without /v1")
    .option('--connector <name>', 'the connector of the bank', 'berlin-group')
    .option('--link-host <host:port...>', "the allowed hosts of the bank's links", [])
    .option(
      '--certificate <name>',
      'the pair of HAVN_CERTIFICATES_DIR by which the bank knows us; by default the pair without a name',
    )
    .option('--disabled', 'do not use the bank; `havn bank probe` works nevertheless')
    .action(
      operatorAction(async (given, bic: string, bank: BankArguments) =>
        (await import('./banks.ts')).putBankCommand(given, bic, bank),
      ),
    )
}

function addProfileCommands(group: Command): void {
  group
    .command('check-profile')
    .description('validate bank profiles, without a bank or database')
    .argument('[file...]', 'one or more profiles (JSON); without one, all of HAVN_BANK_PROFILES_DIR')
    .option('--connector <name>', 'the connector of the profiles', 'berlin-group')
    .addHelpText(
      'after',
      `
A profile describes a bank's products, limits and dialect; data/bank-profiles/README.md
explains every field. The file is named after the profile: my-bank.json holds "name": "my-bank".
All errors of all parts are printed at once: the path of the field, what it must be and what it is.
Exits with 0 if every profile is usable, with 1 if one is not, or cannot be read.

Examples:
  export HAVN_BANK_PROFILES_DIR=/etc/havn/bank-profiles
  cp data/bank-profiles/norwegian-redirect.json $HAVN_BANK_PROFILES_DIR/my-bank.json
  havn bank check-profile
  havn bank check-profile my-bank.json other-bank.json`,
    )
    .action(async (files: string[], { connector }: { connector: string }) =>
      (await import('./banks.ts')).checkProfiles(files, connector),
    )
}

function addProbeCommand(group: Command): void {
  group
    .command('probe')
    .description('send a bank harmless requests and print the profile settings that the responses suggest')
    .argument('<bic>', 'a bank of the directory, enabled or not')
    .option('--user-id <id>', 'a test user of the bank (PSU-ID); none by default')
    .option('--organisation-number <number>', 'the company that the user acts for (PSU-Corporate-ID)')
    .option(
      '--certificate <name>',
      'another pair of HAVN_CERTIFICATES_DIR than that of the bank, to see whether the bank knows it',
    )
    .option('--calls', 'also print every request and response')
    .addHelpText(
      'after',
      `
It sends:
  - consents in each format, which no user is asked to sign; each is deleted at once
  - payments and bulks from an account that cannot exist (its check digits are wrong), to learn from
    the errors which fields the bank knows; those that the bank accepts nevertheless are cancelled
  - reads of resources that do not exist, and empty orders
  - the same with other signatures, where the bank rejects that of the profile
No money can move, and no user is asked to sign. It uses the settings of the gateway, including the
certificates: run it where the gateway runs. A setting marked CHANGE contradicts a response;
"unclear" means that the responses do not show it. Change the profile and probe again.

After each cancellation the status is read. What remains at the bank is listed with its product, its
id and the X-Request-ID of its creation, so that a person can cancel it; also after Ctrl-C, which
ends the probe and deletes what it created (a second Ctrl-C does not wait for that).
Exits with 0 if the responses show any setting; with 1 if they show none, the bank does not respond,
or the probe was interrupted.

Examples:
  havn bank probe MYBANO22
  havn bank probe MYBANO22 --user-id 01815012345 --calls
  havn bank probe MYBANO22 --certificate 2027`,
    )
    .action(async (bic: string, options: ProbeOptions) =>
      (await import('./bank-probe.ts')).printProbe(bic, options, process.env),
    )
}

/** Every bank with its recent availability. */
async function bankTable({ context }: Given): Promise<Table> {
  const entries = await listDirectoryEntries(context.database, context.clock)
  const rows = entries.map(({ row, status }) => ({
    bic: row.bic,
    country: row.country_code,
    name: row.name,
    profile: row.profile,
    certificate: row.certificate ?? '',
    state: row.enabled ? status : 'disabled',
    address: row.address,
  }))
  return { rows, whenEmpty: 'The directory has no banks; havn bank put adds one.' }
}
