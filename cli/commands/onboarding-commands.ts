/** Declares `havn onboarding`: what operators do with companies on their way in. */
import { type Command, Option } from 'commander'
import type { RegistryContext } from '../../gateway/registries/registry-context.ts'
import type { OnboardingReview } from '../operator/onboardings.ts'
import { operate, PARTNER } from './operate.ts'

const REASONS = ['RiskEvaluation', 'MissingDocuments', 'CompanyNotFound', 'UnsupportedCompanyType']

/** Adds the commands to their group. */
export function addOnboardingCommands(group: Command): void {
  const onboardings = () => import('../operator/onboardings.ts')
  group.addHelpText('after', EXAMPLES)
  group
    .command('list')
    .description('print the onboardings of a partner, or of all partners those that wait for you')
    .addArgument(PARTNER().argOptional())
    .option('--status <status>', 'only those that are Created, AwaitingCustomerAction, ManualHandling, …')
    .action((partner: string | undefined, { status }: { status?: string }) =>
      operate(async (context) => (await onboardings()).printOnboardings(context, partner, status)),
    )
  of(
    group
      .command('show')
      .description('print everything that a company wrote and signed; the audit log keeps that you looked'),
  ).action((id: string) =>
    withSeal(async (context, actor) => (await onboardings()).printOnboarding(context, actor, id)),
  )
  of(group.command('accept').description('let the company pay; the registry is asked once more'))
    .addOption(new Option('--despite <reason>', 'all the same, though the registry says so by now').choices(REASONS))
    .action((id: string, { despite }: { despite?: string }) =>
      review(id, { say: 'accept', ...(despite === undefined ? {} : { despite }) }),
    )
  of(group.command('reject').description('say no'))
    .addOption(new Option('--reason <reason>', 'what the partner is told').choices(REASONS).makeOptionMandatory())
    .action((id: string, { reason }: { reason: string }) => review(id, { say: 'reject', reason }))
  of(group.command('ask-for-documents').description('have the company hand in documents, within a week'))
    .argument('<words>', 'which, in words that the company reads')
    .action((id: string, words: string) => review(id, { say: 'ask-for-documents', words }))
  of(group.command('save-documents').description('write the files that the company handed in to a folder'))
    .argument('<folder>', 'an existing folder; nothing in it is overwritten')
    .action((id: string, folder: string) =>
      withSeal(async (context, actor) => (await onboardings()).saveDocuments(context, actor, id, folder)),
    )
  of(group.command('cancel').description('call an onboarding off')).action((id: string) =>
    withSeal(async (context, actor) => (await onboardings()).cancelTyped(context, actor, id)),
  )
  of(group.command('revoke-link').description('make a link void that fell into wrong hands'))
    .option('--signer <id>', "the signer's own link, by the id that `show` prints; without it the company's link")
    .action((id: string, { signer }: { signer?: string }) =>
      withSeal(async (context, actor) => (await onboardings()).revokeTypedLink(context, actor, id, signer)),
    )
}

const EXAMPLES = `
An onboarding waits for you when \`havn tasks list\` shows OnboardingToReview; the detail of the task says why.

  havn onboarding list
  havn onboarding show 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50
  havn onboarding ask-for-documents 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50 "The articles of association, please"
  havn onboarding reject 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50 --reason RiskEvaluation

What people wrote is sealed: \`show\` needs HAVN_MASTER_KEY_FILE. Every decision is kept in the audit log with your name
(HAVN_OPERATOR, else the system's user).`

function of(command: Command): Command {
  return command.argument('<onboarding>', 'its id')
}

async function review(id: string, said: OnboardingReview): Promise<void> {
  const { reviewTyped } = await import('../operator/onboardings.ts')
  await withSeal((context, actor) => reviewTyped(context, actor, id, said))
}

/** What people wrote is opened with the master key, which commands on partners and companies do without. */
async function withSeal(carryOut: (context: RegistryContext, actor: string) => Promise<void>): Promise<void> {
  const { withContext } = await import('../operator/with-gateway-context.ts')
  const { operatorActor } = await import('../operator/operator-name.ts')
  await withContext(process.env, (context) => carryOut(context, operatorActor(process.env)))
}
