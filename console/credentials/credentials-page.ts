/** Lists the credentials of partners, and offers to create some. */
import { html } from 'ghtml'
import { listClients, listPartnersWithClients, type NamedClient } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { isPermitted } from '../access/console-role.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { AFTER_PARAMETER, LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { PARTNER_PARAMETER, partnerFields } from '../lists/partner-field.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { dataTable } from '../markup/data-table.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

export const CREDENTIALS_PATH = '/console/credentials'

/** `message` says why nothing was created. */
export async function credentialsPage(
  context: Context,
  { viewer, query }: Pick<ConsoleRequest, 'viewer' | 'query'>,
  message?: string,
): Promise<ConsolePage> {
  const filters = filterReader(query)
  const partnerId = partnerFilterOf(viewer, filters.id(PARTNER_PARAMETER))
  const isValid = filters.errors.size === 0
  const afterId = query.get(AFTER_PARAMETER)?.replaceAll('\0', '')
  const found = isValid ? await listClients(context, partnerId, { afterId, limit: LIST_ROWS + 1 }) : []
  const { rows, last } = pageOf(found)
  const fields = await partnerFields(context, viewer)
  const columns = (['clientId', 'state', 'payroll', 'created', 'rotated', 'partner'] as const).map((name) => ({
    label: consoleText(`credentials.${name}`),
  }))
  const mayCreate = isPermitted(viewer.session.roles, 'developer.act')
  const body = html`<p>${consoleText('credentials.explain')}</p>
!${fields.length === 0 ? '' : filterForm(CREDENTIALS_PATH, { query, errors: filters.errors }, fields)}
!${dataTable(columns, rows.map(cellsOf), consoleText(isValid ? 'credentials.none' : 'filters.correct'))}
!${nextPageLink(CREDENTIALS_PATH, query, last?.clientId)}
!${mayCreate ? await createForm(context, viewer, message) : ''}`
  const status = isValid && message === undefined ? 200 : 422
  return { kind: 'page', status, title: consoleText('credentials.title'), body }
}

export function stateOf({ disabledAt }: Pick<NamedClient, 'disabledAt'>): string {
  return statusMarkup(consoleText(disabledAt === null ? 'partners.enabled' : 'partners.disabled'))
}

function cellsOf(client: NamedClient): readonly string[] {
  const { clientId, payroll, createdAt, secretRotatedAt, partnerName } = client
  return [
    idMarkup(clientId, `${CREDENTIALS_PATH}/${encodeURIComponent(clientId)}`),
    stateOf(client),
    html`${consoleText(payroll ? 'credentials.permitted' : 'credentials.notPermitted')}`,
    wallTimeMarkup(createdAt),
    secretRotatedAt === null ? '' : wallTimeMarkup(secretRotatedAt),
    html`${partnerName}`,
  ]
}

async function createForm(context: Context, viewer: Viewer, message?: string): Promise<string> {
  return html`<h2>${consoleText('credentials.create')}</h2>
<p>${consoleText('credentials.createExplain')}</p>
<form class="filters" method="post" action="${CREDENTIALS_PATH}">!${tokenField(viewer.token)}
!${viewer.session.partnerId === null ? await partnerChoice(context, message) : ''}
<div class="field buttons"><button>${consoleText('credentials.create')}</button></div>
</form>`
}

async function partnerChoice(context: Context, message?: string): Promise<string> {
  const partners = (await listPartnersWithClients(context)).map(({ partner }) => partner)
  const options = partners
    .filter(({ disabledAt }) => disabledAt === null)
    .map(({ id, name }) => html`<option value="${id}">${name}</option>`)
  const invalid = message === undefined ? '' : html`aria-invalid="true" aria-describedby="new-client-error"`
  return html`<div class="field"><label for="new-client-partner">${consoleText('credentials.partner')}</label>
<select id="new-client-partner" name="partner" !${invalid}>!${options.join('')}</select>
!${message === undefined ? '' : html`<p class="error" id="new-client-error">${message}</p>`}</div>`
}
