/** `havn onboarding`: companies in onboarding, and the reviews that operators decide. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OnboardingStatus, OnboardingStatusReason } from '../../contract/onboarding.ts'
import { listPartnersWithClients, requirePartner } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { cancelOnboarding } from '../../gateway/onboarding/cancel-onboarding.ts'
import { type ReviewDecision, reviewOnboarding } from '../../gateway/onboarding/decision/review-onboarding.ts'
import { listOnboardingsForOperators } from '../../gateway/onboarding/get-onboarding.ts'
import { type CaseFile, openCaseFile, readUploadedDocument } from '../../gateway/onboarding/open-case-file.ts'
import { revokeOnboardingLink } from '../../gateway/onboarding/revoke-onboarding-link.ts'
import type { Onboarding } from '../../gateway/onboarding/store/onboarding.ts'
import type { Signer } from '../../gateway/onboarding/store/onboarding-signer.ts'
import { listAuditLog } from '../../gateway/operators/list-audit-log.ts'
import { isId } from '../../gateway/platform/ids.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { printTable, type TableOptions, tableOf } from './print-table.ts'

export type OnboardingReview =
  | { readonly say: 'accept'; readonly despite?: string }
  | { readonly say: 'reject'; readonly reason: string }
  | { readonly say: 'ask-for-documents'; readonly words: string }

/** Prints onboardings: a partner's, or those of all partners that await review. */
export async function printOnboardings(
  context: ProgramContext,
  nameOrId: string | undefined,
  { status, ...options }: TableOptions & { readonly status?: string },
): Promise<void> {
  const partner = nameOrId === undefined ? undefined : await requirePartner(context, nameOrId)
  const wanted = status === undefined ? (partner === undefined ? 'ManualHandling' : undefined) : statusOf(status)
  const found = await listOnboardingsForOperators(context, {
    ...(partner === undefined ? {} : { partnerId: partner.id }),
    ...(wanted === undefined ? {} : { status: wanted }),
  })
  const names = new Map((await listPartnersWithClients(context)).map(({ partner: { id, name } }) => [id, name]))
  const rows = found.map((onboarding) => [
    onboarding.id,
    names.get(onboarding.partnerId) ?? onboarding.partnerId,
    onboarding.countryCode,
    onboarding.organisationNumber,
    onboarding.organisationName,
    stateOf(onboarding),
    onboarding.updatedAt.toString(),
  ])
  const headings = ['onboarding', 'partner', 'country', 'number', 'name', 'status', 'changed']
  printTable({ headings, rows, whenEmpty: 'No onboardings.' }, options)
}

/** Prints one onboarding completely. */
export async function printOnboarding(context: Context, actor: string, id: string): Promise<void> {
  const dossier = await openCaseFile(context, actor, requireId(id))
  const history = await listAuditLog(context, dossier.onboarding.partnerId, dossier.onboarding.id)
  const rows = history.map(({ at, actor: who, action, detail }) => [at.toString(), who, action, JSON.stringify(detail)])
  console.log(
    [...linesOf(dossier), '', tableOf(['at', 'actor', 'action', 'detail'], rows, 'No audit log entries.')].join('\n'),
  )
}

/** Decides a review, and prints the new status. */
export async function reviewOnboardingCommand(
  context: Context,
  actor: string,
  id: string,
  reported: OnboardingReview,
): Promise<void> {
  const { onboarding } = await openCaseFile(context, actor, requireId(id))
  printState(await reviewOnboarding(context, actor, onboarding, reviewOf(reported)))
}

function reviewOf(reported: OnboardingReview): ReviewDecision {
  switch (reported.say) {
    case 'accept':
      return { say: 'accept', ...(reported.despite === undefined ? {} : { despite: reasonOf(reported.despite) }) }
    case 'reject':
      return { say: 'reject', reason: reasonOf(reported.reason) }
    case 'ask-for-documents':
      return reported
  }
}

/** Cancels an onboarding, and prints its status. */
export async function cancelOnboardingCommand(context: Context, actor: string, id: string): Promise<void> {
  const { onboarding } = await openCaseFile(context, actor, requireId(id))
  printState(await cancelOnboarding(context, actor, onboarding))
}

/** Revokes a link. */
export async function revokeLinkCommand(context: Context, actor: string, id: string, signer?: string): Promise<void> {
  const { onboarding } = await openCaseFile(context, actor, requireId(id))
  await revokeOnboardingLink(context, actor, onboarding, signer === undefined ? null : requireId(signer))
  console.log(`The ${signer === undefined ? 'company’s' : 'signer’s'} link is revoked.`)
}

/** Saves the uploaded documents, under generated file names. */
export async function saveDocuments(context: Context, actor: string, id: string, folder: string): Promise<void> {
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

function printState(onboarding: Onboarding): void {
  console.log(`The onboarding ${onboarding.id} is ${stateOf(onboarding)}.`)
}

function stateOf({ status, statusReason }: Pick<Onboarding, 'status' | 'statusReason'>): string {
  return statusReason === null ? status : `${status} (${statusReason})`
}

function requireId(text: string): string {
  if (!isId(text)) {
    throw new Error(`${text} is not an onboarding id; havn onboarding list prints the ids`)
  }
  return text.toLowerCase()
}

function statusOf(text: string): OnboardingStatus {
  const found = OnboardingStatus.enum.find((status) => status.toLowerCase() === text.toLowerCase())
  if (found === undefined) {
    throw new Error(`--status must be one of ${OnboardingStatus.enum.join(', ')}, not ${text}`)
  }
  return found
}

function reasonOf(text: string): OnboardingStatusReason {
  const found = OnboardingStatusReason.enum.find((reason) => reason === text)
  if (found === undefined) {
    throw new Error(`--reason must be one of ${OnboardingStatusReason.enum.join(', ')}, not ${text}`)
  }
  return found
}
