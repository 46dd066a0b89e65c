/** Lists partners for operators. */
import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { isPermitted } from '../access/console-role.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { dataTable } from '../markup/data-table.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { CREATE_PARTNER_PATH } from './create-partner-page.ts'
import { enabledMarkup, permissionsOf } from './partner-page.ts'
import { PARTNERS_PATH } from './partners-path.ts'

export async function partnersPage(context: Context, { viewer }: ConsoleRequest): Promise<ConsolePage> {
  const columns = (['name', 'state', 'credentials', 'permissions', 'created'] as const).map((name) => ({
    label: consoleText(`partners.${name}`),
  }))
  const rows = (await listPartnersWithClients(context)).map(({ partner, clients }) => [
    html`<a href="${PARTNERS_PATH}/${partner.id}">${partner.name}</a>`,
    enabledMarkup(partner),
    html`${clients.filter(({ disabledAt }) => disabledAt === null).length}`,
    html`${permissionsOf(partner)}`,
    wallTimeMarkup(partner.createdAt),
  ])
  const create = isPermitted(viewer.session.roles, 'administrate')
    ? html`<p class="actions"><a class="button" href="${CREATE_PARTNER_PATH}">${consoleText('partners.create')}</a></p>`
    : ''
  const body = html`!${create}!${dataTable(columns, rows, consoleText('partners.none'))}`
  return { kind: 'page', title: consoleText('partners.title'), body }
}
