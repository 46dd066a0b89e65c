/** `havn onboarding`: companies in onboarding, and the reviews that operators decide. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { OnboardingStatus, type OnboardingStatusReason } from '../../contract/onboarding.ts'
import { listPartnersWithClients, requirePartner } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { cancelOnboarding } from '../../gateway/onboarding/cancel-onboarding.ts'
import { type ReviewDecision, reviewOnboarding } from '../../gateway/onboarding/decision/review-onboarding.ts'
import { listOnboardingsForOperators } from '../../gateway/onboarding/get-onboarding.ts'
import { revokeOnboardingLink } from '../../gateway/onboarding/onboarding-link.ts'
import { type CaseFile, openCaseFile, readUploadedDocument } from '../../gateway/onboarding/open-case-file.ts'
import type { Onboarding } from '../../gateway/onboarding/store/onboarding.ts'
import type { Signer } from '../../gateway/onboarding/store/onboarding-signer.ts'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import { printableLine } from '../printable-text.ts'
import { auditLogTable, type Table } from './print-table.ts'
import { type GatewayGiven, type Given, gatewayAction, partnerArgument, tableCommand } from './run-operator-command.ts'
import { typedChoice, typedId } from './typed-values.ts'

/** Findings of the registry that an operator may override, and why a company may be rejected. */
const REASONS = [
  'RiskEvaluation',
  'MissingDocuments',
  'CompanyNotFound',
  'UnsupportedCompanyType',
] as const satisfies readonly OnboardingStatusReason[]
type Reason = (typeof REASONS)[number]

/** Onboardings: a partner's, or those of all partners that await review. */
async function onboardingTable(
  { context }: Given,
  nameOrId: string | undefined,
  { status }: { readonly status?: string },
): Promise<Table> {
  const partner = nameOrId === undefined ? undefined : await requirePartner(context, nameOrId)
  const byDefault = partner === undefined ? 'ManualHandling' : undefined
  const wanted = status === undefined ? byDefault : typedChoice('--status', status, OnboardingStatus.enum)
  const found = await listOnboardingsForOperators(context, {
    ...(partner === undefined ? {} : { partnerId: partner.id }),
    ...(wanted === undefined ? {} : { status: wanted }),
  })
  const names = new Map((await listPartnersWithClients(context)).map(({ partner: { id, name } }) => [id, name]))
  const rows = found.map((onboarding) => ({
    onboarding: onboarding.id,
    partner: names.get(onboarding.partnerId) ?? onboarding.partnerId,
    country: onboarding.countryCode,
    number: onboarding.organisationNumber,
    name: onboarding.organisationName,
    status: stateOf(onboarding),
    changed: onboarding.updatedAt.toString(),
  }))
  return { rows, whenEmpty: 'No onboardings.' }
}

async function printOnboarding({ context, actor }: GatewayGiven, id: string): Promise<void> {
  const caseFile = await openCaseFile(context, actor, requireId(id))
  const history = await listAuditLog(context, caseFile.onboarding.partnerId, caseFile.onboarding.id)
  console.log([...linesOf(caseFile).map(printableLine), '', auditLogTable(history)].join('\n'))
}

/** Changes an onboarding, and prints its new status. */
const change = gatewayAction(async ({ context, actor }, id: string, perform: Change) => {
  const { onboarding } = await openCaseFile(context, actor, requireId(id))
  const changed = await perform(context, actor, onboarding)
  console.log(`The onboarding ${changed.id} is ${stateOf(changed)}.`)
})

type Change = (context: Context, actor: string, onboarding: Onboarding) => Promise<Onboarding>

/** Saves the uploaded documents, under generated file names. */
async function saveDocuments({ context, actor }: GatewayGiven, id: string, folder: string): Promise<void> {
  const { documents, onboarding } = await openCaseFile(context, actor, requireId(id))
  for (const [index, document] of documents.entries()) {
    const ending = document.mediaType.split('/').at(-1) ?? 'bin'
    const path = join(folder, `${onboarding.id}-${index + 1}.${ending}`)
    await writeFile(path, await readUploadedDocument(context, actor, document), { flag: 'wx', mode: 0o600 })
    console.log(`${path}  ${document.name}`)
  }
  if (documents.length === 0) {
    console.log('No documents were uploaded.')
  }
}

function linesOf({ onboarding, answers, signers, documents, documentRequest }: CaseFile): readonly string[] {
  const { CompanyDetails: details, BeneficialOwners: owners, Terms: terms } = answers.sections
  const { registered } = answers
  return [
    `company         ${onboarding.organisationName ?? details?.name ?? '-'} (${onboarding.countryCode} ${onboarding.organisationNumber})`,
    `partner         ${onboarding.partnerId}`,
    `status          ${stateOf(onboarding)}`,
    `registry        ${registered === null ? 'none' : `${registered.source}, ${registered.organisationForm}, read ${registered.readAt}`}`,
    ...(details === undefined ? [] : [`reached at      ${details.email}, ${details.phone}`]),
    ...(details === undefined ? [] : [`address         ${Object.values(details.address).join(', ')}`]),
    ...(owners?.nobodyOwnsMoreThanAQuarter === true ? ['owners          no owner of more than 25 %'] : []),
    ...(owners?.owners ?? []).map(
      (owner) =>
        `owner           ${owner.name}, born ${owner.birthDate}, ${owner.nationality}, lives in ${owner.country}, ${owner.ownershipPercent} %` +
        (owner.isPoliticallyExposed ? ', politically exposed' : ''),
    ),
    ...signers.flatMap((signer) => [
      `signer          ${signer.name}, born ${signer.birthDate}, ${signer.status}, ${signer.id}`,
      ...identifiedLines(signer),
    ]),
    ...(terms === undefined ? [] : [`terms           ${terms.version}, accepted ${terms.at}`]),
    ...(documentRequest === null ? [] : [`requested       ${documentRequest}`]),
    ...documents.map(({ name, bytes, uploadedAt }) => `document        ${name}, ${bytes} bytes, ${uploadedAt}`),
  ]
}

/** The identity of the signer by the identity provider, to compare with the name that the company gave. */
function identifiedLines({ identified, signedAt }: Signer): readonly string[] {
  if (identified === null) {
    return []
  }
  const { birthDate, levelOfAssurance, name } = identified
  const signed = signedAt === null ? 'not signed' : `signed ${signedAt}`
  return [
    `  identified    ${name.given} ${name.family}, born ${birthDate}, ${signed}, level ${levelOfAssurance || 'not reported'}`,
  ]
}

function stateOf({ status, statusReason }: Pick<Onboarding, 'status' | 'statusReason'>): string {
  return statusReason === null ? status : `${status} (${statusReason})`
}

function requireId(text: string): string {
  return typedId(text, 'an onboarding id', 'havn onboarding list')
}

const EXAMPLES = `
An onboarding waits for you when \`havn tasks list\` shows OnboardingToReview; the detail of the task says why.

  havn onboarding list
  havn onboarding show 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50
  havn onboarding ask-for-documents 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50 "The articles of association, please"
  havn onboarding reject 01a207a6-4c20-7c11-9a3e-7b1d2c3e4f50 --reason RiskEvaluation

Entered data is encrypted: \`show\` needs HAVN_MASTER_KEY_FILE. Every decision is recorded in the audit log with
your name (of HAVN_OPERATOR_TOKEN, and of the system's user).`

export function addOnboardingCommands(group: Command): void {
  group.addHelpText('after', EXAMPLES)
  const list = group
    .command('list')
    .description('print the onboardings of a partner, or those of all partners that need review')
    .addArgument(partnerArgument().argOptional())
    .option('--status <status>', 'filter by status: Created, AwaitingCustomerAction, ManualHandling, …')
  tableCommand(list, onboardingTable)
  of(group, 'show', 'print all that a company entered and signed; the access is recorded in the audit log').action(
    gatewayAction(printOnboarding),
  )
  addReviewCommands(group)
  of(group, 'save-documents', 'save the files that the company uploaded to a folder')
    .argument('<folder>', 'an existing folder; nothing in it is overwritten')
    .action(gatewayAction(saveDocuments))
  of(group, 'cancel', 'cancel an onboarding').action((id: string) => change(id, cancelOnboarding))
  of(group, 'revoke-link', 'revoke a leaked link')
    .option('--signer <id>', "the signer's own link, by the id that `show` prints; without it the company's link")
    .action(
      gatewayAction(async ({ context, actor }, id: string, { signer }: { readonly signer?: string }) => {
        const { onboarding } = await openCaseFile(context, actor, requireId(id))
        const signerId = signer === undefined ? null : typedId(signer, 'the id of a signer', 'havn onboarding show')
        await revokeOnboardingLink(context, actor, onboarding, signerId)
        console.log(`The ${signer === undefined ? 'company’s' : 'signer’s'} link is revoked.`)
      }),
    )
}

function addReviewCommands(group: Command): void {
  const review = (id: string, decision: ReviewDecision) =>
    change(id, (context, actor, onboarding) => reviewOnboarding(context, actor, onboarding, decision))
  of(group, 'accept', 'accept the company; the registry is queried again')
    .addOption(new Option('--despite <reason>', 'accept in spite of this finding of the registry').choices(REASONS))
    .action((id: string, options: { despite?: Reason }) => review(id, { say: 'accept', ...options }))
  of(group, 'reject', 'say no')
    .addOption(
      new Option('--reason <reason>', 'the reason returned to the partner').choices(REASONS).makeOptionMandatory(),
    )
    .action((id: string, options: { reason: Reason }) => review(id, { say: 'reject', ...options }))
  of(group, 'ask-for-documents', 'request documents from the company, within a week')
    .argument('<words>', 'the requested documents; the text is shown to the company')
    .action((id: string, words: string) => review(id, { say: 'ask-for-documents', words }))
}

function of(group: Command, name: string, description: string): Command {
  return group.command(name).description(description).argument('<onboarding>', 'its id')
}
