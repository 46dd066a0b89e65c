/** Declares `havn bank`: the directory of banks, their profiles, and probing a bank before it is used. */
import type { Command } from 'commander'
import { operate } from './operate.ts'

/** As the command line gives it. */
type BankOptions = {
  name: string
  country: string
  profile: string
  address: string
  connector: string
  linkHost: string[]
  disabled?: boolean
}

/** Adds the commands to their group. */
export function addBankCommands(group: Command): void {
  addDirectoryCommands(group)
  addProfileCommands(group)
  addProbeCommand(group)
}

function addDirectoryCommands(group: Command): void {
  const banks = () => import('../operator/banks.ts')
  group
    .command('list')
    .description('print every bank and how it has answered of late')
    .action(() => operate(async (context) => (await banks()).printBanks(context)))
  group
    .command('put')
    .description('put a bank into the directory, or change it; running programs know it within five seconds')
    .argument('<bic>')
    .requiredOption('--name <name>', 'as users know it')
    .requiredOption('--country <code>', 'two letters, for example NO')
    .requiredOption('--profile <name>', 'a profile of data/bank-profiles or of HAVN_BANK_PROFILES_DIR')
    .requiredOption('--address <url>', "where the bank's API begins, in front of /v1")
    .option('--connector <name>', 'how the bank is spoken to', 'berlin-group')
    .option('--link-host <host:port...>', "every place that the bank's links may lead to", [])
    .option('--disabled', 'keep it out of use; `havn bank probe` reaches it all the same')
    .action((bic: string, bank: BankOptions) =>
      operate(async (context, actor) => (await banks()).putTypedBank(context, actor, bic, bank)),
    )
}

function addProfileCommands(group: Command): void {
  const profiles = () => import('../operator/bank-profiles.ts')
  group
    .command('check-profile')
    .description('say whether bank profiles are usable, and if not, why; no bank and no database is asked')
    .argument('[file...]', 'profiles (JSON); without one, all of HAVN_BANK_PROFILES_DIR')
    .option('--connector <name>', 'the connector that is to understand the dialect', 'berlin-group')
    .addHelpText(
      'after',
      `
A profile says what a bank offers, what it limits and how it speaks; data/bank-profiles/README.md
explains every field. The file is named after the profile: my-bank.json holds "name": "my-bank".

Example:
  export HAVN_BANK_PROFILES_DIR=/etc/havn/bank-profiles
  cp data/bank-profiles/norwegian-redirect.json $HAVN_BANK_PROFILES_DIR/my-bank.json
  havn bank check-profile`,
    )
    .action(async (files: string[], { connector }: { connector: string }) =>
      (await profiles()).checkProfiles(files, connector),
    )
}

function addProbeCommand(group: Command): void {
  group
    .command('probe')
    .description('ask a bank harmless questions and print which settings of its profile the answers suggest')
    .argument('<bic>', 'a bank of the directory, be it in use or not')
    .option('--user-id <id>', 'a test user of the bank (PSU-ID); without one, none is named')
    .option('--organisation-number <number>', 'the company that the user acts for (PSU-Corporate-ID)')
    .option('--calls', 'print every call and its answer, too')
    .addHelpText(
      'after',
      `
What it asks for:
  - consents in each form, without sending anybody to sign them; each is deleted at once
  - payments and bulks from an account that cannot exist (its check digits are wrong), to learn from
    the errors which fields the bank knows; should one be taken, it is cancelled at once
  - things that do not exist, and orders that are empty
No money can move, and nobody is asked to sign. It uses the settings of the gateway (certificates
among them): run it where the gateway runs. A setting that is marked CHANGE contradicts an answer;
"unclear" means that the answers do not tell. Change the profile and probe again.

Examples:
  havn bank probe MYBANO22
  havn bank probe MYBANO22 --user-id 01815012345 --calls`,
    )
    .action(async (bic: string, options: { userId?: string; organisationNumber?: string; calls?: boolean }) => {
      const { printProbe } = await import('../operator/bank-probe.ts')
      await printProbe(bic, options, process.env)
    })
}
