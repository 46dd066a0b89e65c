/** Shows a consent with its accounts and how its user accepted it, and revokes it. */
import { html } from 'ghtml'
import { listEvidence } from '../../gateway/authorisations/list-evidence.ts'
import type { ConsentAccount } from '../../gateway/consents/accounts/consent-account.ts'
import { listAccountsOfConsent } from '../../gateway/consents/accounts/find-account.ts'
import { type Consent, consentTransitions } from '../../gateway/consents/consent.ts'
import { consentOf } from '../../gateway/consents/consent-lookup.ts'
import { CONSENT_ROWS } from '../../gateway/consents/consent-rows.ts'
import { revokeConsent } from '../../gateway/consents/revoke-consent.ts'
import type { Context } from '../../gateway/context.ts'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import type { PartnerRow } from '../../gateway/partners/partner-rows.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isPermitted } from '../access/console-role.ts'
import { actorOf } from '../access/console-session.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { buttonForm } from '../markup/action-form.ts'
import { auditHistory } from '../markup/audit-history.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable, factList } from '../markup/data-table.ts'
import { reasonMarkup } from '../markup/explained-codes.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { changeSinceSeen, SEEN_FIELD } from '../markup/seen-state.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { evidenceSection } from './evidence-entries.ts'

export const CONSENTS_PATH = '/console/consents'

export async function consentPage(
  context: Context,
  request: ConsoleRequest,
  outcome?: ActionOutcome,
): Promise<ConsolePage> {
  const { viewer } = request
  const { consent, record } = await requireConsentInPath(context, request)
  const { partnerId, id, excludedAccounts: count } = consent
  const [bank, accounts, evidence, audit] = await Promise.all([
    context.banks.find(consent.bic),
    listAccountsOfConsent(context, consent),
    listEvidence(context, { partnerId, kind: 'consent', subjectId: id }),
    viewer.session.partnerId === null ? listAuditLog(context, partnerId, id) : [],
  ])
  const body = html`!${noticeMarkup(outcome)}
!${factsOf(consent, { partnerName: record.partnerName, bankName: bank?.name ?? consent.bic })}
!${revokeForm(consent, viewer)}
<h2>${consoleText('consent.accounts')}</h2>
!${accountsOf(consent, accounts)}
!${count === 0 ? '' : html`<p class="quiet">${consoleText('consent.excluded', { count })}</p>`}
!${evidenceSection(evidence)}
!${auditHistory(audit)}`
  return { kind: 'page', status: outcome?.status ?? 200, title: consoleText('consent.title'), body }
}

/** Revokes it as the API does, unless its status has changed since the user saw it. */
export async function revokeConsentInPath(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { consent } = await requireConsentInPath(context, request)
  const changed = changeSinceSeen(request.form, consent.status)
  if (changed !== undefined) {
    return await consentPage(context, request, changed)
  }
  await revokeConsent(context, { consent, actor: actorOf(request.viewer.session) })
  return { kind: 'redirect', to: `${CONSENTS_PATH}/${consent.id}` }
}

async function requireConsentInPath(
  context: Context,
  { viewer, params }: ConsoleRequest,
): Promise<{ readonly consent: Consent; readonly record: PartnerRow }> {
  const record = await requireVisible(context, viewer, CONSENT_ROWS, params['consentId'])
  const consent = await consentOf(context, { partnerId: record.partnerId, consentId: record.id })
  if (consent === undefined) {
    throw apiError('not-found', 'There is no consent with this id')
  }
  return { consent, record }
}

function factsOf(consent: Consent, names: { readonly partnerName: string; readonly bankName: string }): string {
  return factList({
    'records.columns.status': statusMarkup(consent.status),
    'records.columns.reason': reasonMarkup(consent.statusReason),
    'records.columns.user': html`${consent.userIdMasked ?? ''}`,
    'records.columns.company': html`${consent.countryCode} ${consent.organisationNumber}`,
    'records.columns.bank': html`${names.bankName} (${consent.bic})`,
    'records.columns.validUntil': timeMarkup(consent.validUntil),
    'records.columns.created': timeMarkup(consent.createdAt),
    'records.columns.changed': timeMarkup(consent.updatedAt),
    'records.columns.partner': html`${names.partnerName}`,
    'records.columns.id': copyableCode(consent.id, consoleText('records.columns.id')),
  })
}

function revokeForm({ id, status }: Consent, { session, token }: Viewer): string {
  if (!isPermitted(session.roles, 'payments.act') || !consentTransitions[status].includes('REVOKED')) {
    return ''
  }
  const form = { path: `${CONSENTS_PATH}/${id}/revoke`, token, label: consoleText('consent.revoke') }
  return html`!${buttonForm({ ...form, fields: { [SEEN_FIELD]: status }, isBlock: true })}
<p class="quiet">${consoleText('consent.revoking')}</p>`
}

function accountsOf({ countryCode }: Consent, accounts: readonly ConsentAccount[]): string {
  const columns: Columns<ConsentAccount> = {
    'consent.columns.account': ({ bban, iban }) => html`${formatAccountNumber(countryCode, bban ?? iban ?? '')}`,
    'consent.columns.name': ({ name }) => html`${name ?? ''}`,
    'consent.columns.currency': ({ currency }) => html`${currency}`,
    'consent.columns.payable': ({ payable }) =>
      html`${payable === null ? '' : payable ? consoleText('consent.payable') : consoleText('consent.readable')}`,
  }
  return dataTable(accounts, columns, consoleText('consent.noAccounts'))
}
