/** Lists the credentials of partners, and offers to create some. */
import { html } from 'ghtml'
import { listClients, listPartnersWithClients, type NamedClient } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import type { Client } from '../../gateway/partners/partner.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { type ConsoleList, listMarkup } from '../lists/list-page.ts'
import { AFTER_PARAMETER, pageOf } from '../lists/next-page.ts'
import { chosenPartner, PARTNER_PARAMETER } from '../lists/partner-field.ts'
import { type ActionField, actionForm } from '../markup/action-form.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import type { Columns } from '../markup/data-table.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { enabledMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

export const CREDENTIALS_PATH = '/console/credentials'

/** `message` says why nothing was created. */
export async function credentialsPage(
  context: Context,
  request: ConsoleRequest,
  message?: string,
): Promise<ConsolePage> {
  const { markup, isValid } = await listMarkup(context, clientList(context), request)
  const { viewer } = request
  const mayCreate = isPermitted(viewer.session.roles, 'developer.act')
  const body = html`!${markup}
!${mayCreate ? await createForm(context, viewer, message) : ''}`
  const status = isValid && message === undefined ? 200 : 422
  return { kind: 'page', status, title: consoleText('credentials.title'), body }
}

type Filter = { readonly partnerId: string | null; readonly after: string | undefined }

function clientList(context: Context): ConsoleList<NamedClient, Filter, string> {
  return {
    path: CREDENTIALS_PATH,
    title: consoleText('credentials.title'),
    about: html`<p>${consoleText('credentials.explain')}</p>`,
    fields: [],
    filterOf: (filters, viewer) => ({
      partnerId: chosenPartner(filters, viewer),
      after: filters.read(AFTER_PARAMETER, (text) => text, ''),
    }),
    read: async ({ partnerId, after: afterId }, limit) => {
      const { rows, last } = pageOf(await listClients(context, partnerId, { afterId, limit: limit + 1 }), limit)
      return { rows, next: last?.clientId }
    },
    columns: {
      ...CLIENT_COLUMNS,
      'credentials.rotated': ({ secretRotatedAt: at }) => (at === null ? '' : wallTimeMarkup(at)),
      'credentials.partner': ({ partnerName }) => html`${partnerName}`,
    },
    none: consoleText('credentials.none'),
  }
}

/** Of any credentials, also on the page of their partner. */
export const CLIENT_COLUMNS: Columns<Client> = {
  'credentials.clientId': ({ clientId }) => idMarkup(clientId, `${CREDENTIALS_PATH}/${encodeURIComponent(clientId)}`),
  'credentials.state': enabledMarkup,
  'credentials.payroll': ({ payroll }) =>
    html`${consoleText(payroll ? 'credentials.permitted' : 'credentials.notPermitted')}`,
  'credentials.created': ({ createdAt }) => wallTimeMarkup(createdAt),
}

async function createForm(context: Context, viewer: Viewer, message?: string): Promise<string> {
  const button = consoleText('credentials.create')
  const fields = viewer.session.partnerId === null ? [await partnerField(context, message)] : []
  return html`<h2>${button}</h2>
<p>${consoleText('credentials.createExplain')}</p>
!${actionForm({ path: CREDENTIALS_PATH, button, fields, token: viewer.token, isRow: true })}`
}

async function partnerField(context: Context, error?: string): Promise<ActionField> {
  const partners = (await listPartnersWithClients(context)).map(({ partner }) => partner)
  const choices = partners
    .filter(({ disabledAt }) => disabledAt === null)
    .map(({ id, name }) => ({ value: id, label: name }))
  return { name: PARTNER_PARAMETER, label: consoleText('credentials.partner'), choices, error }
}
