/** Renders the forms by which operators change a partner. */
import { html } from 'ghtml'
import { PARTNER_PERMISSIONS } from '../../gateway/auth/client-permissions.ts'
import type { Agreement } from '../../gateway/consents/agreements/agreement.ts'
import type { Client, Partner } from '../../gateway/partners/partner.ts'
import type { Viewer } from '../access/viewer.ts'
import { actionForm, buttonForm } from '../markup/action-form.ts'
import { consoleText } from '../texts/console-texts.ts'
import { PARTNERS_PATH } from './partners-path.ts'

/** Switches of its permissions, and its callback origins. */
export function partnerForms(partner: Partner, { token }: Viewer): string {
  const path = `${PARTNERS_PATH}/${partner.id}`
  const switches = PARTNER_PERMISSIONS.map((permission) => {
    const to = partner[permission] ? 'off' : 'on'
    return buttonForm({
      path: `${path}/permissions`,
      token,
      label: consoleText(`partner.switches.${permission}.${to}`),
      fields: { permission, to },
    })
  })
  const origins = actionForm({
    path: `${path}/callback-origins`,
    button: consoleText('partner.replaceOrigins'),
    token,
    fields: [
      {
        name: 'origins',
        label: consoleText('partner.callbackOrigins'),
        hint: consoleText('partner.originsHint'),
        type: 'textarea',
        value: partner.callbackOrigins.join('\n'),
        isOptional: true,
      },
    ],
    seen: partner.callbackOrigins.join(' '),
  })
  return html`<div class="actions">!${switches.join('')}</div>
<details><summary>${consoleText('partner.replaceOrigins')}</summary>!${origins}</details>`
}

export function disableForm({ id }: Partner, { token }: Viewer): string {
  const form = actionForm({
    path: `${PARTNERS_PATH}/${id}/disable`,
    button: consoleText('partner.disable'),
    token,
    fields: [{ name: 'name', label: consoleText('partner.disableConfirm') }],
  })
  return html`<h2>${consoleText('partner.disable')}</h2>
<p>${consoleText('partner.disableExplain')}</p>
!${form}`
}

export function payrollForm(partnerId: string, { clientId, payroll }: Client, token: string): string {
  const label = consoleText(payroll ? 'credentials.forbid' : 'credentials.permit')
  const path = `${PARTNERS_PATH}/${partnerId}/clients/${encodeURIComponent(clientId)}/payroll`
  return buttonForm({
    path,
    token,
    label,
    fields: { to: payroll ? 'off' : 'on' },
    description: `${label}: ${clientId}`,
  })
}

export function endForm(partnerId: string, { id, number }: Agreement, token: string): string {
  const label = consoleText('agreements.end')
  const path = `${PARTNERS_PATH}/${partnerId}/agreements/${id}/end`
  return buttonForm({ path, token, label, description: `${label}: ${number}` })
}
