/** Lists webhook subscriptions, and offers to create one. */
import { html } from 'ghtml'
import { type EventFamily, eventFamilies } from '../../contract/webhooks/event-types.ts'
import {
  ALL_PAYMENT_EVENTS,
  type WebhookSelection,
  type WebhookSubscription,
} from '../../contract/webhooks/webhook-subscriptions.ts'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { listWebhookSubscriptions } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import { isPermitted } from '../access/console-role.ts'
import { partnerFilterOf, type Viewer } from '../access/viewer.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { type Columns, dataTable } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

export const WEBHOOKS_PATH = '/console/webhooks'

/** What was entered and why it was rejected, when the form is shown again. */
export type RejectedSubscription = {
  readonly targetUrl: string
  readonly eventTypes: readonly WebhookSelection[]
  readonly message: string
}

type NamedPartner = { readonly id: string; readonly name: string }

export async function subscriptionsPage(
  context: Context,
  viewer: Viewer,
  rejected?: RejectedSubscription,
): Promise<ConsolePage> {
  const partners = await visiblePartners(context, viewer)
  const lists = partners.map(async ({ id, name: partnerName }) =>
    (await listWebhookSubscriptions(context, { partnerId: id })).map((one) => ({ ...one, partnerName })),
  )
  const rows = (await Promise.all(lists)).flat()
  const mayCreate = isPermitted(viewer.session.roles, 'developer.act')
  const body = html`<p>${consoleText('webhooks.explain')}</p>
!${dataTable(rows, COLUMNS, consoleText('webhooks.none'))}
!${mayCreate ? createForm(viewer, partners, rejected) : ''}`
  return { kind: 'page', status: rejected === undefined ? 200 : 422, title: consoleText('webhooks.title'), body }
}

async function visiblePartners(context: Context, viewer: Viewer): Promise<readonly NamedPartner[]> {
  const visible = partnerFilterOf(viewer)
  const partners = (await listPartnersWithClients(context)).map(({ partner }) => partner)
  return partners.filter(({ id }) => visible === null || id === visible)
}

const COLUMNS: Columns<WebhookSubscription & { readonly partnerName: string }> = {
  'webhooks.targetUrl': ({ id, targetUrl }) => html`<a href="${WEBHOOKS_PATH}/${id}">!${breakableText(targetUrl)}</a>`,
  'webhooks.types': ({ eventTypes }) => breakableText(eventTypes.join(', ')),
  'webhooks.state': subscriptionState,
  'webhooks.created': ({ createdAt }) => timeMarkup(Temporal.Instant.from(createdAt)),
  'webhooks.partner': ({ partnerName }) => html`${partnerName}`,
}

export function subscriptionState({ enabled, paused }: Pick<WebhookSubscription, 'enabled' | 'paused'>): string {
  const state = paused ? 'paused' : 'enabled'
  return statusMarkup(consoleText(`webhooks.${enabled ? state : 'disabled'}`))
}

function createForm(viewer: Viewer, partners: readonly NamedPartner[], rejected?: RejectedSubscription): string {
  const invalid = rejected === undefined ? '' : html`aria-invalid="true" aria-describedby="target-url-error"`
  return html`<h2>${consoleText('webhooks.create')}</h2>
<form class="filters" method="post" action="${WEBHOOKS_PATH}">
!${tokenField(viewer.token)}
!${viewer.session.partnerId === null ? partnerField(partners) : ''}
<div class="field wide"><label for="target-url">${consoleText('webhooks.targetUrl')}</label>
<input type="url" id="target-url" name="targetUrl" value="${rejected?.targetUrl ?? ''}" required autocomplete="off" !${invalid}>
!${rejected === undefined ? '' : html`<p class="error" id="target-url-error">${rejected.message}</p>`}</div>
!${typeFields(rejected?.eventTypes ?? [ALL_PAYMENT_EVENTS])}
<div class="field buttons"><button>${consoleText('webhooks.create')}</button></div>
</form>`
}

/** A box for each family, and below it, folded, one for each of its types. One subscription has all that are chosen. */
function typeFields(chosen: readonly WebhookSelection[]): string {
  const box = (type: WebhookSelection, label: string) =>
    html`<label class="choice"><input type="checkbox" name="eventType" value="${type}" !${chosen.includes(type) ? 'checked' : ''}> ${label}</label>`
  const families = Object.entries(eventFamilies).map(([name, types]) => {
    const family = name as EventFamily
    const isOpen = types.some((type) => chosen.includes(type))
    return html`<div>!${box(family, consoleText('webhooks.allOf', { family }))}
<details !${isOpen ? 'open' : ''}><summary>${consoleText('webhooks.only')}</summary>!${types.map((type) => box(type, type)).join('')}</details></div>`
  })
  return html`<fieldset class="types"><legend>${consoleText('webhooks.types')}</legend>
<p class="hint">${consoleText('webhooks.typesHint')}</p>
!${families.join('\n')}</fieldset>`
}

function partnerField(partners: readonly NamedPartner[]): string {
  const options = partners.map(({ id, name }) => html`<option value="${id}">${name}</option>`)
  return html`<div class="field"><label for="partner">${consoleText('webhooks.partner')}</label>
<select id="partner" name="partner">!${options.join('')}</select></div>`
}
