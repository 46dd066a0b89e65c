/** Shows an onboarding: its state to its partner's users, and its case file and documents to operators, whose access is recorded. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { renderOnboarding, requireOwnOnboarding } from '../../gateway/onboarding/get-onboarding.ts'
import { ONBOARDING_ROWS } from '../../gateway/onboarding/onboarding-rows.ts'
import { listUploadedDocuments, openCaseFile, readUploadedDocument } from '../../gateway/onboarding/open-case-file.ts'
import { type Onboarding, onboardingTransitions } from '../../gateway/onboarding/store/onboarding.ts'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import type { OperatorTask } from '../../gateway/operators/operator-task.ts'
import { requireTask } from '../../gateway/operators/resolve-task.ts'
import { listTasksOfSubject } from '../../gateway/operators/tasks-of-subject.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import type { Form } from '../../gateway/platform/http/pages/form.ts'
import { actorOf } from '../access/console-session.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { auditHistory } from '../markup/audit-history.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { detailsMarkup, reasonMarkup } from '../markup/explained-codes.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { noticeMarkup, type RejectedForm } from '../markup/notice.ts'
import { statusMarkup } from '../markup/status.ts'
import { taskKindText } from '../markup/task-kind.ts'
import { consoleText } from '../texts/console-texts.ts'
import { caseFileMarkup } from './case-file.ts'
import { onboardingForms } from './onboarding-forms.ts'

export const ONBOARDINGS_PATH = '/console/onboardings'

/** `rejected` says why an action was not carried out. */
export async function onboardingPage(
  context: Context,
  request: ConsoleRequest,
  rejected?: RejectedForm,
): Promise<ConsolePage> {
  const { onboarding, partnerName } = await requireOnboardingInPath(context, request)
  const isOperator = request.viewer.session.partnerId === null
  const body = isOperator
    ? await bodyForOperators(context, request, { onboarding, partnerName, entered: rejected?.entered })
    : bodyForPartner(request, onboarding)
  const name = onboarding.organisationName ?? onboarding.organisationNumber
  const title = consoleText('onboarding.title', { name })
  return { kind: 'page', status: rejected?.status ?? 200, title, body: noticeMarkup(rejected) + body }
}

/** Throws `not-found` for an unknown id and for an onboarding of a foreign partner, which look the same. */
export async function requireOnboardingInPath(
  context: Context,
  { viewer, params }: ConsoleRequest,
): Promise<{ readonly onboarding: Onboarding; readonly partnerName: string }> {
  const row = await requireVisible(context, viewer, ONBOARDING_ROWS, params['onboardingId'])
  return { onboarding: await requireOwnOnboarding(context, row, row.id), partnerName: row.partnerName }
}

function bodyForPartner({ viewer }: ConsoleRequest, onboarding: Onboarding): string {
  const path = `${ONBOARDINGS_PATH}/${onboarding.id}`
  return html`!${onboardingFacts(onboarding, undefined)}
!${onboardingSteps(onboarding)}
!${onboardingForms({ path, onboarding, viewer, entered: undefined }, [])}`
}

type ForOperators = {
  readonly onboarding: Onboarding
  readonly partnerName: string
  readonly entered: Form | undefined
}

async function bodyForOperators(
  context: Context,
  { viewer }: ConsoleRequest,
  { onboarding: { id, partnerId }, partnerName, entered }: ForOperators,
): Promise<string> {
  const caseFile = await openCaseFile(context, actorOf(viewer.session), id)
  const { onboarding, signers } = caseFile
  const path = `${ONBOARDINGS_PATH}/${id}`
  const [tasks, history] = await Promise.all([
    listTasksOfSubject(context.database, { partnerId, id }),
    listAuditLog(context, partnerId, id),
  ])
  const open = await Promise.all(
    tasks.filter(({ status }) => status !== 'resolved').map((task) => requireTask(context, task.id)),
  )
  return html`!${open.map(taskNotice).join('\n')}
!${onboardingFacts(onboarding, partnerName)}
!${onboardingSteps(onboarding)}
!${caseFileMarkup(caseFile, path)}
!${onboardingForms({ path, onboarding, viewer, entered }, signers)}
!${auditHistory(history)}`
}

/** The detail says why it waits for an operator. */
function taskNotice({ id, kind, detail }: OperatorTask): string {
  return html`<div class="notice"><p><a href="/console/tasks/${id}">${consoleText('onboarding.task', { kind: taskKindText(kind) })}</a> !${detailsMarkup(detail)}</p></div>`
}

/** `partnerName` is shown to operators. */
function onboardingFacts(onboarding: Onboarding, partnerName: string | undefined): string {
  const shown = renderOnboarding(onboarding)
  const next = onboardingTransitions[onboarding.status]
  return factList({
    'onboarding.status': statusMarkup(shown.status),
    'onboarding.reason': reasonMarkup(shown.statusReason),
    'onboarding.next': html`${next.join(', ')}`,
    'onboarding.company': html`${shown.country} ${shown.organizationNumber}`,
    'payments.partner': partnerName && html`${partnerName}`,
    'onboarding.created': timeMarkup(onboarding.createdAt),
    'onboarding.changed': timeMarkup(onboarding.updatedAt),
    'onboarding.expires': onboarding.expiresAt && timeMarkup(onboarding.expiresAt),
    'onboarding.redirectUrl': html`${shown.redirectUrl ?? ''}`,
    'onboarding.id': copyableCode(shown.id, consoleText('onboarding.id')),
  })
}

/** What the company has to do, in the order of the flow. */
function onboardingSteps(onboarding: Onboarding): string {
  const items = renderOnboarding(onboarding).tasks.map(({ type, status }) => {
    const state = consoleText(status === 'Done' ? 'onboarding.done' : 'onboarding.open')
    return html`<li class="${status === 'Done' ? 'done' : ''}">${consoleText(`onboarding.tasks.${type}`)}: <strong>${state}</strong></li>`
  })
  return html`<h2>${consoleText('onboarding.steps')}</h2><ol class="steps">!${items.join('\n')}</ol>`
}

/** Under a generated name, with the media type of its first bytes: the company chose neither. */
export async function downloadDocument(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { onboardingId, documentId } = request.params
  const onboarding = await requireVisible(context, request.viewer, ONBOARDING_ROWS, onboardingId)
  const documents = await listUploadedDocuments(context, onboarding)
  const number = documents.findIndex(({ id }) => id === documentId?.toLowerCase())
  const document = documents[number]
  if (document === undefined) {
    throw apiError('not-found', 'The onboarding has no document with this id')
  }
  const content = await readUploadedDocument(context, actorOf(request.viewer.session), document)
  const { mediaType } = document
  const name = `${onboarding.id}-${number + 1}.${mediaType.split('/').at(-1)}`
  return { kind: 'file', name, mediaType, content }
}
