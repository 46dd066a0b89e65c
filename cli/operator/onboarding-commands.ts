/** Declares the commands of `havn onboarding`: list, review and cancel onboardings. */

import { type Command, Option } from 'commander'
import type { Context } from '../../gateway/context.ts'
import { jsonOption, partnerArgument, runOperatorCommand } from '../commands/run-operator-command.ts'
import type { OnboardingReview } from './onboardings.ts'
import type { TableOptions } from './print-table.ts'

const REASONS = ['RiskEvaluation', 'MissingDocuments', 'CompanyNotFound', 'UnsupportedCompanyType']

export function addOnboardingCommands(group: Command): void {
  const onboardings = () => import('./onboardings.ts')
  group.addHelpText('after', EXAMPLES)
  group
    .command('list')
    .description('print the onboardings of a partner, or those of all partners that need review')
    .addArgument(partnerArgument().argOptional())
    .option('--status <status>', 'filter by status: Created, AwaitingCustomerAction, ManualHandling, …')
    .addOption(jsonOption())
    .action((partner: string | undefined, options: TableOptions & { status?: string }) =>
      runOperatorCommand(async (context) => (await onboardings()).printOnboardings(context, partner, options)),
    )
  of(
    group
      .command('show')
      .description('print all that a company entered and signed; the access is recorded in the audit log'),
  ).action((id: string) =>
    withRegistryContext(async (context, actor) => (await onboardings()).printOnboarding(context, actor, id)),
  )
  of(group.command('accept').description('accept the company; the registry is queried again'))
    .addOption(new Option('--despite <reason>', 'accept in spite of this finding of the registry').choices(REASONS))
    .action((id: string, { despite }: { despite?: string }) =>
      reviewOnboarding(id, { say: 'accept', ...(despite === undefined ? {} : { despite }) }),
    )
  of(group.command('reject').description('say no'))
    .addOption(
      new Option('--reason <reason>', 'the reason returned to the partner').choices(REASONS).makeOptionMandatory(),
    )
    .action((id: string, { reason }: { reason: string }) => reviewOnboarding(id, { say: 'reject', reason }))
  of(group.command('ask-for-documents').description('request documents from the company, within a week'))
    .argument('<words>', 'the requested documents; the text is shown to the company')
    .action((id: string, words: string) => reviewOnboarding(id, { say: 'ask-for-documents', words }))
  of(group.command('save-documents').description('save the files that the company uploaded to a folder'))
    .argument('<folder>', 'an existing folder; nothing in it is overwritten')
    .action((id: string, folder: string) =>
      withRegistryContext(async (context, actor) => (await onboardings()).saveDocuments(context, actor, id, folder)),
    )
  of(group.command('cancel').description('cancel an onboarding')).action((id: string) =>
    withRegistryContext(async (context, actor) => (await onboardings()).cancelOnboardingCommand(context, actor, id)),
  )
  of(group.command('revoke-link').description('revoke a leaked link'))
    .option('--signer <id>', "the signer's own link, by the id that `show` prints; without it the company's link")
    .action((id: string, { signer }: { signer?: string }) =>
      withRegistryContext(async (context, actor) =>
        (await onboardings()).revokeLinkCommand(context, actor, id, signer),
      ),
    )
}

const EXAMPLES = `
An onboarding waits for you when \`havn tasks list\` shows OnboardingToReview; the detail of the task says why.

  havn onboarding list
  havn onboarding show 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50
  havn onboarding ask-for-documents 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50 "The articles of association, please"
  havn onboarding reject 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50 --reason RiskEvaluation

Entered data is encrypted: \`show\` needs HAVN_MASTER_KEY_FILE. Every decision is recorded in the audit log with
your name (of HAVN_OPERATOR_TOKEN, and of the system's user).`

function of(command: Command): Command {
  return command.argument('<onboarding>', 'its id')
}

async function reviewOnboarding(id: string, reported: OnboardingReview): Promise<void> {
  const { reviewOnboardingCommand } = await import('./onboardings.ts')
  await withRegistryContext((context, actor) => reviewOnboardingCommand(context, actor, id, reported))
}

/** Decrypting entered data needs the master key; commands on partners and companies do not. */
async function withRegistryContext(carryOut: (context: Context, actor: string) => Promise<void>): Promise<void> {
  const { withGatewayContext } = await import('./with-gateway-context.ts')
  const { findOperator } = await import('./find-operator.ts')
  await withGatewayContext(process.env, async (context) =>
    carryOut(context, (await findOperator(context, process.env)).actor),
  )
}
